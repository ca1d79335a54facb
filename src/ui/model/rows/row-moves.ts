import { sections } from '../../../text/progress.ts';
import type { Checklist } from '../../../text/types.ts';
import type { VisibleRows } from './row-filter.ts';

/** Moves by the keyboard and in words: where rows go by one step, and where they are then. */

/** Where a section ends that belongs to the header at an index, or the index after an item. */
export const endOf = (checklist: Checklist, index: number): number =>
  sections(checklist).find(({ header }) => header === index)?.end ?? index + 1;

/** Before which row a header's section goes, one section up or down; `undefined` at the ends. */
function sectionStep(checklist: Checklist, header: number, up: boolean): number | undefined {
  const { rows } = checklist;
  const level = (index: number) => {
    const row = rows[index];
    return row?.kind === 'header' ? row.level : Number.POSITIVE_INFINITY;
  };
  if (up) {
    const above = rows.findLastIndex((_, index) => index < header && level(index) <= level(header));
    if (above >= 0) return above;
    return header > 0 ? 0 : undefined;
  }
  const end = endOf(checklist, header);
  if (end >= rows.length) return undefined;
  return level(end) === level(header) ? endOf(checklist, end) : end + 1;
}

/** Before which row rows go, one row that shows up or down; past a closed section at once. `undefined` at the ends. */
function rowStep(
  checklist: Checklist,
  { shown, folded }: VisibleRows,
  picked: readonly number[],
  up: boolean,
): number | undefined {
  if (up) return shown.findLast(index => index < (picked[0] ?? 0));
  const below = shown.find(index => index > (picked.at(-1) ?? 0));
  if (below === undefined) return undefined;
  return folded.has(below) ? endOf(checklist, below) : below + 1;
}

/** What one step up or down means for these rows, given in text order: one header takes its section along. */
export function stepOf(
  checklist: Checklist,
  seen: VisibleRows,
  picked: readonly number[],
  up: boolean,
): { index: number; section: boolean } | undefined {
  const [only] = picked;
  const section = picked.length === 1 && only !== undefined && checklist.rows[only]?.kind === 'header';
  const index = section ? sectionStep(checklist, only, up) : rowStep(checklist, seen, picked, up);
  return index === undefined ? undefined : { index, section };
}

/** Where a row is, as one would say it: “position 3 of 12, section Release”. */
export function placeInWords({ rows }: Pick<Checklist, 'rows'>, index: number): string {
  const row = rows[index];
  if (row?.kind === 'header') {
    const headers = rows.flatMap((each, at) => (each.kind === 'header' ? at : []));
    return `section ${headers.indexOf(index) + 1} of ${headers.length}`;
  }
  const header = rows.findLastIndex(({ kind }, at) => at < index && kind === 'header');
  const next = rows.findIndex(({ kind }, at) => at > index && kind === 'header');
  const end = next < 0 ? rows.length : next;
  const place = `position ${index - header} of ${end - header - 1}`;
  return header < 0 ? place : `${place}, section ${rows[header]?.text}`;
}
