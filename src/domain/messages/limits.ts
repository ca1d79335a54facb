/** Messages at a limit of the Free edition. */

export const items = 'Reached maximum allowed items for Smart Checklist Free version';
export const globalTemplates = 'Reached maximum allowed global templates for Smart Checklist Free version.';
export const projectTemplates = 'Reached maximum allowed project templates for Smart Checklist Free version.';
export const templates = 'Reached maximum allowed templates for Smart Checklist Free version.';

/** Shown before the limit is reached; not fixed by the specification. */
export const room = (left: number) =>
  left === 1
    ? 'There is room for one more item in the Free version.'
    : `There is room for ${left} more items in the Free version.`;
