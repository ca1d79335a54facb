/** What is said at a limit of the Free edition (spec §8). */

export const items = 'Reached maximum allowed items for Smart Checklist Free version';
export const globalTemplates = 'Reached maximum allowed global templates for Smart Checklist Free version.';
export const projectTemplates = 'Reached maximum allowed project templates for Smart Checklist Free version.';
export const templates = 'Reached maximum allowed templates for Smart Checklist Free version.';
