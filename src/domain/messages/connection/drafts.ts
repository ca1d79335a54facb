/** Messages about unsaved texts that wait in the browser. */

export const editor = (count: number) =>
  count === 1 ? 'Your unsaved changes in the editor were kept.' : `Your unsaved changes in ${count} editors were kept.`;
export const field = (part: 'text' | 'details' | 'new item', text: string) =>
  `Unsaved ${part}: “${text.length > 80 ? `${text.slice(0, 80)}…` : text}”`;
export const said = 'Unsaved changes were kept. Open or discard them.';
export const discarded = 'Unsaved changes discarded.';
