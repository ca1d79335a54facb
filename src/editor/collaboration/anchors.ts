import { rowHash } from '../../domain/row-hash.ts';
import { alignUnits } from '../../text/merge/align.ts';
import { documentOf } from '../../text/merge/units.ts';
import { lastRowBefore } from '../../text/rows.ts';
import type { Checklist } from '../../text/types.ts';

/** A row of the stored text, for clients with another version open: its index and the hash of its text. */
export interface RowAnchor {
  row: number;
  mark: string;
}

/** The rows of the stored text by those of the unsaved one, however they were moved or reworded. */
const storedRows = (stored: Checklist, unsaved: Checklist) =>
  alignUnits(documentOf(unsaved).units, documentOf(stored).units);

/** The row of the stored text for a position in unsaved text; for a new row the one that it stands before, or the last. */
export function anchorOf(stored: Checklist, unsaved: Checklist, position: number): RowAnchor | undefined {
  const rows = storedRows(stored, unsaved);
  const at = Math.max(0, lastRowBefore(unsaved, position));
  const place = unsaved.rows.findIndex((_, index) => index >= at && rows.has(index));
  const row = rows.get(place) ?? stored.rows.length - 1;
  const found = stored.rows[row];
  return found && { row, mark: rowHash(found.text) };
}

/** The position of that row in unsaved text based on another stored version; `undefined` where it is deleted there. */
export function positionOf(stored: Checklist, unsaved: Checklist, { row, mark }: RowAnchor): number | undefined {
  const said = (index: number) => rowHash(stored.rows[index]?.text ?? '') === mark;
  const all = stored.rows[row] && said(row) ? [row] : [...stored.rows.keys()].filter(said);
  if (all.length !== 1) return undefined;
  const [there] = all;
  const [place] = [...storedRows(stored, unsaved)].find(([, index]) => index === there) ?? [];
  return place === undefined ? undefined : unsaved.starts[place];
}
