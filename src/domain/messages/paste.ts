/** Messages about pasted or dropped text. */

const figure = (value: number) => value.toLocaleString('en');

export const pasted = (rows: number) => (rows === 1 ? 'Pasted as one row.' : `Pasted as ${figure(rows)} rows.`);
export const nothing = 'There was nothing to paste that a checklist can hold.';
export const asPlain = 'Paste as plain text';
export const byKey = (key: string) =>
  `The browser keeps its clipboard to itself here. Press ${key} to paste as plain text.`;
export const dismiss = 'Dismiss';
export const tooMuch = (size: number, capacity: number) =>
  `This is too much to paste: ${figure(size)} characters. A checklist holds about ${figure(capacity)}.`;
export const looksTooMuch = 'The look was too large to read, so only its text was pasted.';
export const notText = (names: string) =>
  `Only text can be added here: .txt, .md, .csv and .html files. Not added: ${names}.`;
export const emptyFile = (names: string) => `There is no text in ${names}.`;
export const unreadable = (names: string) => `Could not be read: ${names}.`;
export const fileTooLarge = (names: string) => `Too large for a checklist: ${names}.`;
export const times = (what: string, count: number) => (count === 1 ? what : `${what} (${figure(count)} times)`);
export const more = (count: number) => `And ${figure(count)} more.`;
