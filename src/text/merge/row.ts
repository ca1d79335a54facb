import { marked, withMandatory, withStatus } from '../head.ts';
import { readChecklist } from '../read.ts';
import { mergeDetails } from './details.ts';
import { mergeRewordings } from './rewording.ts';
import { splitContent, splitTail, type Unit } from './units.ts';

const attributes = ['kind', 'status', 'text', 'assignee', 'dueDate', 'details'] as const;
export type Attribute = (typeof attributes)[number];

export const isAttribute = (name: string): name is Attribute => attributes.some(attribute => attribute === name);

/**
 * Two different values for one attribute of a row: `mine` is in the merged text, `theirs` only here. As read from the wire
 * or the database it may come from another version, with any attribute name: `Conflict<string>`.
 */
export interface Conflict<Name extends string = Attribute> {
  /** The row's text after the merge. */
  row: string;
  attribute: Name;
  mine: string;
  theirs: string;
  /** The row's lasting id, if it is known. */
  rowId?: string | null | undefined;
}

type Report = (attribute: Attribute, mine: string, theirs: string) => void;

/** The value of the side that changed it; mine if both did. */
function pick<T>(base: T, mine: T, theirs: T, conflict?: () => void): T {
  if (mine === base) return theirs;
  if (theirs !== base && theirs !== mine) conflict?.();
  return mine;
}

/** A header's hashes; an item's mark with status and flag, which a header has not. */
const kindOf = ({ row, head }: Unit) => (row.kind === 'header' ? '#'.repeat(row.level) : marked(head).trim());

function mergeHead(base: Unit, mine: Unit, theirs: Unit, report: Report, isStatusOpen: boolean): string {
  if (mine.head === theirs.head) return theirs.head;
  if (!isStatusOpen) {
    if (base.head === mine.head) return theirs.head;
    if (base.head === theirs.head) return mine.head;
  }
  const [b, m, t] = [base.row, mine.row, theirs.row];
  if (m.kind !== 'checkbox' || t.kind !== 'checkbox') {
    return pick(base, mine, theirs, () => {
      if (kindOf(mine) !== kindOf(theirs)) report('kind', kindOf(mine), kindOf(theirs));
    }).head;
  }
  // A header that both made an item has neither.
  const [status, wasMandatory] = b.kind === 'checkbox' ? [b.status, b.mandatory] : [undefined, false];
  const before = isStatusOpen ? undefined : status?.slug;
  const slug = pick(before, m.status.slug, t.status.slug, () => report('status', m.status.name, t.status.name));
  const mandatory = pick(wasMandatory, m.mandatory, t.mandatory);
  const head = slug === m.status.slug ? mine.head : withStatus(marked(mine.head), m.status, t.status);
  return mandatory === m.mandatory ? head : withMandatory(marked(head), m.mandatory, mandatory);
}

/** The words of a row: what both added at different places, else mine. */
function mergeBody(base: string, mine: string, theirs: string, report: Report): string {
  if (mine === base || theirs === base || mine === theirs) return pick(base, mine, theirs);
  const joined = mergeRewordings(base, mine, theirs);
  // Words joined at the end do not become the row's assignee or due date.
  if (joined !== undefined && splitTail(joined).body === joined) return joined;
  report('text', mine, theirs);
  return mine;
}

/** A header's marks, of which those stay that no side took away; what they added comes after: theirs, then mine. */
function mergeMarks(...[base, mine, theirs]: ReadonlyMap<string, string>[]): string[] {
  const keys = new Set([...(base?.keys() ?? []), ...(theirs?.keys() ?? []), ...(mine?.keys() ?? [])]);
  return [...keys].flatMap(key => {
    const [b, m, t] = [base?.get(key), mine?.get(key), theirs?.get(key)];
    const isGone = b !== undefined && (m === undefined || t === undefined);
    return isGone ? [] : (pick(b, m, t) ?? []);
  });
}

function mergeContent(base: Unit, mine: Unit, theirs: Unit, report: Report): string {
  if (base.content === mine.content || mine.content === theirs.content) return theirs.content;
  if (base.content === theirs.content) return mine.content;
  const [b, m, t] = [splitContent(base), splitContent(mine), splitContent(theirs)];
  const body = mergeBody(b.body, m.body, t.body, report);
  const people = pick(b.people, m.people, t.people, () => report('assignee', m.people, t.people));
  const days = pick(b.days, m.days, t.days, () => report('dueDate', m.days, t.days));
  return [body, people, days, ...mergeMarks(b.marks, m.marks, t.marks)].filter(part => part !== '').join(' ');
}

/** Whether head and content, which may come from two of the versions, still read as that content. */
const fits = (head: string, content: string, versions: readonly Unit[]) =>
  versions.some(version => version.head === head && version.content === content) ||
  readChecklist(head + content).rows[0]?.text === content;

/** The value that a row has for a conflict's attribute. */
export function attributeOf(unit: Unit, attribute: Attribute): string {
  const { row, details } = unit;
  if (attribute === 'kind') return kindOf(unit);
  if (attribute === 'status') return row.kind === 'checkbox' ? row.status.name : '';
  if (attribute === 'details') return details.trimEnd();
  const { body, people, days } = splitContent(unit);
  return { text: body, assignee: people, dueDate: days }[attribute];
}

/** The versions of a row that are merged. */
export interface RowVersions {
  base: Unit;
  mine: Unit;
  theirs: Unit;
  /** Whether the statuses of `mine` and `theirs` were set on different rows, of which `base` has only one. */
  isStatusOpen?: boolean;
}

/** One row from three versions of it, attribute by attribute. */
export function mergeRow(
  { base, mine, theirs, isStatusOpen = false }: RowVersions,
  report: (conflict: Conflict) => void,
): Unit {
  const found: Omit<Conflict, 'row'>[] = [];
  const note: Report = (attribute, mine, theirs) => found.push({ attribute, mine, theirs });
  const head = mergeHead(base, mine, theirs, note, isStatusOpen);
  const content = mergeContent(base, mine, theirs, note);
  const details = mergeDetails(base.details, mine.details, theirs.details, () =>
    note('details', mine.details.trimEnd(), theirs.details.trimEnd()),
  );
  const spaced = content !== '' && head.trim() !== '' && !/[ \t\xa0]$/.test(head) ? `${head} ` : head;
  for (const conflict of found) report({ row: content, ...conflict });
  return {
    row: mine.row,
    // The text of an item with a mark may be what only a mark keeps from meaning something else.
    head: fits(spaced, content, [theirs, mine, base]) ? spaced : marked(spaced),
    content,
    end: pick(base.end, mine.end, theirs.end),
    details,
    below: pick(base.below, mine.below, theirs.below),
    section: mine.section,
  };
}
