/** Messages at a limit of the Free edition. */

export const items = 'Reached maximum allowed items for Smart Checklist Free version';
export const globalTemplates = 'Reached maximum allowed global templates for Smart Checklist Free version.';
export const projectTemplates = 'Reached maximum allowed project templates for Smart Checklist Free version.';
export const templates = 'Reached maximum allowed templates for Smart Checklist Free version.';

/** Behind the message for items, while words are typed that do not fit. */
export const kept = 'What you type is not added, and stays here.';

/** Shown before the limit is reached; not fixed by the specification. */
export const room = (left: number) =>
  left === 1
    ? 'There is room for one more item in the Free version.'
    : `There is room for ${left} more items in the Free version.`;
