/** Messages about pasted or dropped text. */

const figure = (value: number) => value.toLocaleString('en');

export const pasted = (items: number) =>
  items === 0 ? 'Pasted.' : items === 1 ? 'Pasted as one item.' : `Pasted as ${figure(items)} items.`;
export const pastedAs = (notation: string) => `Pasted as ${notation}.`;
export const readAs = 'Read as:';
export const reading = 'Reading the text you pasted…';
export const notReadAgain = "We couldn't read the text in that notation. The items stay as they are.";
export const assigned = (items: number) => (items === 1 ? '1 item assigned.' : `${figure(items)} items assigned.`);
export const nothing = 'The clipboard has nothing that fits into a checklist.';
export const asPlain = 'Paste as plain text';
export const byKey = (key: string) =>
  `The browser blocks access to the clipboard. Press ${key} to paste as plain text.`;
export const dismiss = 'Dismiss';
export const tooMuch = (size: number, capacity: number) =>
  `This is too much to paste: ${figure(size)} characters. A checklist holds about ${figure(capacity)}.`;
export const tooLong = (size: number, most: number) =>
  `This text is too long to convert: ${figure(size)} characters. At most ${figure(most)} are read.`;
export const binary = "This isn't text: it looks like the content of an image, an archive or a program.";
export const noList = 'There is nothing in this text that fits into a checklist.';
export const looksTooMuch = 'The formatting was too large, so only the text was pasted.';
export const notText = (names: string) =>
  `Only text can be added here: .txt, .md, .csv and .html files. Not added: ${names}.`;
export const emptyFile = (names: string) => `There is no text in ${names}.`;
export const unreadable = (names: string) => `We couldn't read: ${names}.`;
export const fileTooLarge = (names: string) => `Too large for a checklist: ${names}.`;
export const times = (what: string, count: number) => (count === 1 ? what : `${what} (${figure(count)} times)`);
/** Lists lost texts in quotation marks, each shortened by the caller. */
export const lostTexts = (texts: readonly string[], others: number) =>
  `${texts.map(text => `“${text}”`).join(', ')}${others > 0 ? ` and ${figure(others)} more` : ''}`;
export const more = (count: number) => `And ${figure(count)} more.`;
