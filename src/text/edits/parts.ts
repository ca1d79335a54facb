import type { Status } from '../../domain/statuses.ts';
import { EditRefused } from '../errors.ts';
import { locate, rangeOf, rowAt, sourceOf } from '../rows.ts';
import type { CheckboxRow, Checklist, Row, Target } from '../types.ts';
import { readLine } from './read-line.ts';

/** The values that an item must have when its line is read again. */
export interface Item {
  status: Status;
  mandatory: boolean;
  text: string;
}

/** A row's own text: what stands before its content, the content, and the rest. */
export interface Parts {
  row: Row;
  index: number;
  from: number;
  head: string;
  content: string;
  rest: string;
}

export type ItemParts = Parts & { row: CheckboxRow };

/** The target's row, cut. Throws `ChangedMeanwhile` if it is not there. */
export function partsOf(checklist: Checklist, target: Target): Parts {
  const index = locate(checklist, target);
  const row = rowAt(checklist, index);
  const source = sourceOf(checklist, index);
  const { from, to } = row.content;
  return {
    row,
    index,
    from: rangeOf(checklist, index).from,
    head: source.slice(0, from),
    content: source.slice(from, to),
    rest: source.slice(to),
  };
}

/** The parts of an item, as `partsOf` gives them for any row; throws `EditRefused` on a header. */
export function itemOf(checklist: Checklist, target: Target): ItemParts {
  const parts = partsOf(checklist, target);
  if (parts.row.kind !== 'checkbox')
    throw new EditRefused('NOT_AN_ITEM', 'A header has no status, person or due date.');
  return { ...parts, row: parts.row };
}

/** The item that a line reads as, if it reads as this one. */
export function readsAs(
  checklist: Checklist,
  line: string,
  { status, mandatory, text }: Item,
): CheckboxRow | undefined {
  const [row] = readLine(line, checklist.statuses).rows;
  if (row?.kind !== 'checkbox') return undefined;
  return row.status.slug === status.slug && row.mandatory === mandatory && row.text === text ? row : undefined;
}
