import type { Status } from '../domain/statuses.ts';
import { alignUnits } from './merge/align.ts';
import { movedRows } from './merge/order.ts';
import type { RowIds } from './merge/pairing.ts';
import { documentOf, splitContent, type Unit } from './merge/units.ts';
import type { Checklist } from './types.ts';

/** A row's position and text, a header's words, after the change; for a deleted row before it. */
interface Named {
  index: number;
  row: string;
  header: boolean;
}

interface FromTo<T> {
  from: T;
  to: T;
}

/** One change of one row. */
export type RowChange = Named &
  (
    | { kind: 'added' | 'deleted' }
    /**
     * Between sections, named by their headers; `''` is above the first header. Within one both are the same. A header
     * that took rows along has its own name, and these rows have no entry of their own.
     */
    | ({ kind: 'moved' } & FromTo<string>)
    /** Marks: `-` of an item, `#` to `######` of a header. */
    | ({ kind: 'retyped' } & FromTo<string>)
    /** The row's text, a header's words, markup kept. */
    | ({ kind: 'reworded' } & FromTo<string>)
    | ({ kind: 'status' } & FromTo<Status>)
    | ({ kind: 'mandatory' | 'customers' } & FromTo<boolean>)
    /** Names of a header's gates, joined by commas. */
    | ({ kind: 'gates' } & FromTo<string>)
    /** Account ids. */
    | ({ kind: 'assignee' } & FromTo<string | undefined>)
    /** ISO days. */
    | ({ kind: 'dueDate' } & FromTo<string | undefined>)
    /** Lines, without their marks. */
    | ({ kind: 'details' } & FromTo<string>)
  );

const detailsOf = ({ row }: Unit) => row.details.map(({ text }) => text).join('\n');

const typeOf = ({ row }: Unit) => (row.kind === 'header' ? '#'.repeat(row.level) : '-');

/** Status, flag, person and day of an item; a header has none. */
const itemOf = ({ row }: Unit) => (row.kind === 'checkbox' ? row : undefined);

const gatesOf = ({ row }: Unit) => (row.kind === 'header' ? row.gates.join(', ') : '');

const isForCustomers = ({ row }: Unit) => row.kind === 'header' && row.customers;

/** The words that count as the unit's own. A change of a header's marks is reported as its own change. */
const saidBy = ({ row }: Unit) => (row.kind === 'header' ? row.words : row.text);

const named = (unit: Unit, index: number): Named => ({
  index,
  row: saidBy(unit),
  header: unit.row.kind === 'header',
});

/** Whether the text says something else, or something that marks, person and day do not account for. */
function isReworded(before: Unit, after: Unit): boolean {
  if (before.row.text === after.row.text) return false;
  const [was, is] = [splitContent(before), splitContent(after)];
  if (was.body !== is.body) return true;
  const people = was.people !== is.people;
  const days = was.days !== is.days;
  const marks = was.marks.size + is.marks.size > 0;
  const explained =
    (marks || people || days) && (!people || assigneeChanged(before, after)) && (!days || dayChanged(before, after));
  return !explained;
}

const assigneeChanged = (before: Unit, after: Unit) => itemOf(before)?.assignee !== itemOf(after)?.assignee;
const dayChanged = (before: Unit, after: Unit) => itemOf(before)?.dueDate !== itemOf(after)?.dueDate;

function* changesOf(before: Unit, after: Unit, index: number): Generator<RowChange> {
  const row = named(after, index);
  if (typeOf(before) !== typeOf(after)) yield { ...row, kind: 'retyped', from: typeOf(before), to: typeOf(after) };
  const [was, is] = [itemOf(before), itemOf(after)];
  if (was && is) {
    if (was.status.slug !== is.status.slug) yield { ...row, kind: 'status', from: was.status, to: is.status };
    if (was.mandatory !== is.mandatory) yield { ...row, kind: 'mandatory', from: was.mandatory, to: is.mandatory };
  }
  if (isReworded(before, after)) yield { ...row, kind: 'reworded', from: saidBy(before), to: saidBy(after) };
  const [gates, gatesNow] = [gatesOf(before), gatesOf(after)];
  if (gates !== gatesNow) yield { ...row, kind: 'gates', from: gates, to: gatesNow };
  const [shown, isShown] = [isForCustomers(before), isForCustomers(after)];
  if (shown !== isShown) yield { ...row, kind: 'customers', from: shown, to: isShown };
  if (assigneeChanged(before, after)) yield { ...row, kind: 'assignee', from: was?.assignee, to: is?.assignee };
  if (dayChanged(before, after)) yield { ...row, kind: 'dueDate', from: was?.dueDate, to: is?.dueDate };
  const [from, to] = [detailsOf(before), detailsOf(after)];
  if (from !== to) yield { ...row, kind: 'details', from, to };
}

/**
 * The moved rows that went along with a moved header: each below the same kept row as before, in the header's section,
 * by index of the later text. The headers that took rows along are the values.
 */
function headsOfMovedRows(
  there: readonly Unit[],
  origin: ReadonlyMap<number, number>,
  alignment: ReadonlyMap<number, number>,
  moved: ReadonlySet<number>,
): Map<number, number> {
  const headOfRow = new Map<number, number>();
  const matchedRows = [...alignment.keys()].sort((one, other) => one - other);
  const above = new Map(matchedRows.map((from, place) => [from, matchedRows[place - 1]]));
  /** The moved header of the current section, and the last row that is still with it. */
  let head: { index: number; level: number } | undefined;
  let last: number | undefined;
  for (const [index, { row }] of there.entries()) {
    const from = origin.get(index);
    if (from === undefined) continue;
    const isWithin = row.kind === 'checkbox' || (head !== undefined && row.level > head.level);
    if (head && isWithin && moved.has(from) && above.get(from) === last) {
      headOfRow.set(index, head.index);
      last = from;
    } else if (!isWithin) {
      head = row.kind === 'header' && moved.has(from) ? { index, level: row.level } : undefined;
      last = from;
    }
  }
  return headOfRow;
}

/** The units of readings: a history compares each version with both of its neighbours. */
const units = new WeakMap<Checklist, readonly Unit[]>();

function unitsOf(checklist: Checklist): readonly Unit[] {
  const checklistUnits = units.get(checklist) ?? documentOf(checklist).units;
  units.set(checklist, checklistUnits);
  return checklistUnits;
}

/**
 * The changes of each row between two versions, in the order of the later text, then the deleted ones. Rows are matched
 * by their ids where given, else by their text. Blanks and equivalent notation are no change.
 */
export function compareRows(
  before: Checklist,
  after: Checklist,
  ids: { before?: RowIds; after?: RowIds } = {},
): RowChange[] {
  const earlierUnits = unitsOf(before);
  const laterUnits = unitsOf(after);
  const alignment = alignUnits(earlierUnits, laterUnits, ids.before, ids.after);
  const moved = movedRows(alignment);
  const origin = new Map([...alignment].map(([from, to]) => [to, from]));
  const headOfRow = headsOfMovedRows(laterUnits, origin, alignment, moved);
  const heads = new Set(headOfRow.values());
  const laterChanges = laterUnits.flatMap((unit, index): RowChange[] => {
    const from = origin.get(index);
    const was = from === undefined ? undefined : earlierUnits[from];
    if (from === undefined || !was) return [{ ...named(unit, index), kind: 'added' }];
    const [before, now] = heads.has(index) ? [was.row.words, unit.row.words] : [was.section, unit.section];
    const place: RowChange = { ...named(unit, index), kind: 'moved', from: before, to: now };
    const isMoved = moved.has(from) && !headOfRow.has(index);
    return [...(isMoved ? [place] : []), ...changesOf(was, unit, index)];
  });
  const deleted = earlierUnits.flatMap((unit, index): RowChange[] =>
    alignment.has(index) ? [] : [{ ...named(unit, index), kind: 'deleted' }],
  );
  return [...laterChanges, ...deleted];
}
