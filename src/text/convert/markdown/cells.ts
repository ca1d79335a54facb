import type { TableCell, TableRow } from 'mdast';
import { boxOf, bulletOf } from '../head.ts';
import { inlineOf } from './inline.ts';
import type { MarkdownSource } from './source.ts';

const hasList = ({ children }: TableCell) =>
  children.some(child => child.type === 'html' && /^<(?:li|ul|ol)\b/i.test(child.value));

/** The box of markup that shows nothing else. */
function onlyBox(markup: string): string | undefined {
  const words = markup.replace(/<[^<>]*>/g, '').trim();
  const box = boxOf(bulletOf(words)?.text ?? words);
  return box?.text === '' ? `[${box.status === 'done' ? 'x' : ' '}]` : undefined;
}

/**
 * The cells of a table's row in our inline markup, or their own markup if one of them holds a list. A list of nothing but
 * a box, which tables of GitHub need, is that box.
 */
export function cellsOf({ children }: TableRow, source: MarkdownSource): { cells: string[] } | { markup: string[] } {
  const markup = children.map(cell => source.of(cell).replace(/^\|/, '').replace(/\|$/, '').trim());
  const boxes = children.map((cell, i) => (hasList(cell) ? onlyBox(markup[i] ?? '') : ''));
  if (boxes.includes(undefined)) return { markup };
  return { cells: children.map((cell, i) => boxes[i] || inlineOf(cell.children, source).replace(/\n/g, ' ').trim()) };
}
