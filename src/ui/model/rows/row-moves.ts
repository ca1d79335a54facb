import { sections } from '../../../text/progress.ts';
import type { Checklist } from '../../../text/types.ts';
import type { VisibleRows } from './use-row-filter.ts';

/** Moves by keyboard: the target of a one-step move, and positions in words. */

/** The end of the section of the header at an index, or the index after an item. */
export const endOf = (checklist: Checklist, index: number): number =>
  sections(checklist).find(({ header }) => header === index)?.end ?? index + 1;

/** The index before which a header's section goes, one section up or down; `undefined` at the ends. */
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

/** The index before which rows go, one visible row up or down, past a whole closed section; `undefined` at the ends. */
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

/** The target of a one-step move of rows, given in text order. A single header moves with its section. */
export function stepOf(
  checklist: Checklist,
  visible: VisibleRows,
  picked: readonly number[],
  up: boolean,
): { index: number; section: boolean } | undefined {
  const [only] = picked;
  const section = picked.length === 1 && only !== undefined && checklist.rows[only]?.kind === 'header';
  const index = section ? sectionStep(checklist, only, up) : rowStep(checklist, visible, picked, up);
  return index === undefined ? undefined : { index, section };
}

/** A row's position in words: “position 3 of 12, section Release”. */
export function positionText({ rows }: Pick<Checklist, 'rows'>, index: number): string {
  const row = rows[index];
  if (row?.kind === 'header') {
    const headers = rows.flatMap((each, at) => (each.kind === 'header' ? at : []));
    return `section ${headers.indexOf(index) + 1} of ${headers.length}`;
  }
  const header = rows.findLastIndex(({ kind }, at) => at < index && kind === 'header');
  const next = rows.findIndex(({ kind }, at) => at > index && kind === 'header');
  const end = next < 0 ? rows.length : next;
  const position = `position ${index - header} of ${end - header - 1}`;
  return header < 0 ? position : `${position}, section ${rows[header]?.words}`;
}
