import { ChangeSet } from '@codemirror/state';
import { rowHash } from '../../text/row-hash.ts';
import type { Checklist } from '../../text/types.ts';
import { rowAt } from '../checklist.ts';
import { changesBetween } from './diff.ts';

/** A row of the stored text, for clients with another version open: its index and the hash of its text. */
export interface RowAnchor {
  row: number;
  mark: string;
}

const typedOver = (stored: Checklist, text: string) =>
  ChangeSet.of(changesBetween(stored.text, text), stored.text.length);

/** The row of the stored text for a position in unsaved text; for a new row the one at its place. */
export function anchorOf(stored: Checklist, text: string, position: number): RowAnchor | undefined {
  const there = typedOver(stored, text).invertedDesc.mapPos(position, -1);
  const line = stored.text.lastIndexOf('\n', there - 1) + 1;
  const index = rowAt(stored, line)?.index ?? stored.starts.findLastIndex(start => start <= there);
  const row = stored.rows[Math.max(0, index)];
  return row && { row: Math.max(0, index), mark: rowHash(row.text) };
}

/** The position of that row in unsaved text based on another stored version. */
export function positionOf(stored: Checklist, text: string, { row, mark }: RowAnchor): number | undefined {
  const said = (index: number) => rowHash(stored.rows[index]?.text ?? '') === mark;
  const all = stored.rows[row] && said(row) ? [row] : [...stored.rows.keys()].filter(said);
  const start = stored.starts[all.at(0) ?? -1];
  return all.length > 1 || start === undefined ? undefined : typedOver(stored, text).mapPos(start, 1);
}
