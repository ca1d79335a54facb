import { ChangeSet } from '@codemirror/state';
import { markOf } from '../../text/row-hash.ts';
import type { Checklist } from '../../text/types.ts';
import { rowAt } from '../checklist.ts';
import { changesBetween } from './diff.ts';

/** A row of the stored text, for people who have another version of it open: its index, and a hash of what it says. */
export interface Place {
  row: number;
  mark: string;
}

const typedOver = (stored: Checklist, text: string) =>
  ChangeSet.of(changesBetween(stored.text, text), stored.text.length);

/** The row of the stored text that a position in what was typed over it belongs to; for a new row, the one at its place. */
export function placeOf(stored: Checklist, text: string, position: number): Place | undefined {
  const there = typedOver(stored, text).invertedDesc.mapPos(position, -1);
  const line = stored.text.lastIndexOf('\n', there - 1) + 1;
  const index = rowAt(stored, line)?.index ?? stored.starts.findLastIndex(start => start <= there);
  const row = stored.rows[Math.max(0, index)];
  return row && { row: Math.max(0, index), mark: markOf(row.text) };
}

/** Where that row begins in what was typed over our own stored text, which may be another version. */
export function positionOf(stored: Checklist, text: string, { row, mark }: Place): number | undefined {
  const said = (index: number) => markOf(stored.rows[index]?.text ?? '') === mark;
  const all = stored.rows[row] && said(row) ? [row] : [...stored.rows.keys()].filter(said);
  const start = stored.starts[all.at(0) ?? -1];
  return all.length > 1 || start === undefined ? undefined : typedOver(stored, text).mapPos(start, 1);
}
