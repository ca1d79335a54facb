/** Messages of the mode that selects rows; not fixed by the specification. */

export const none = '0 selected.';
export const hint = 'Choose items or their boxes to select them. Press Esc to end.';
export const selected = (rows: number) => `${rows} selected. Press Esc to end.`;
