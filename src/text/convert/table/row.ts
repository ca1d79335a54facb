import { type Block, item } from '../blocks.ts';
import { type Box, boxOf, bulletOf } from '../head.ts';
import { isTrue, isTruth } from './cell-words.ts';

/** One row of a table: its cells' texts, which may hold line breaks, and the number of its first line. */
export interface TableRow {
  line: number;
  cells: readonly string[];
  /** Whether the row is marked as the table's head. */
  head?: boolean;
}

/** The text of a cell in one line. */
export const flatText = (text: string): string => (text.includes('\n') ? text.replace(/\n+/g, ' ') : text).trim();

/** The cells of a row in one line. */
export const joinCells = (cells: readonly string[]): string => cells.map(flatText).filter(Boolean).join(' – ');

/** Whether two rows say the same. */
export const isSameRow = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((cell, index) => cell === b[index]);

/** The cells that say something. */
export const filledCells = (cells: readonly string[]): string[] => cells.filter(cell => cell.trim() !== '');

/** The box before a cell's text, behind a bullet too. */
export function boxOfCell(text: string): Box | undefined {
  const box = boxOf(text) ?? boxOf(bulletOf(text)?.text ?? '');
  // Alone, a black square before words is a bullet.
  return text.startsWith('■') && box?.text !== '' ? undefined : box;
}

/** The item of a row without named columns: its cells in one line, with the status that a box in the first one says. */
export function plainRow({ cells }: TableRow): Block {
  const [first = '', ...rest] = cells.map(flatText).filter(cell => cell !== '');
  if (isTruth(first) && rest.length > 0) return item(joinCells(rest), isTrue(first) ? 'done' : 'todo');
  const box = boxOf(first);
  return item(joinCells([box?.text ?? first, ...rest]), box?.status, box?.mandatory);
}
