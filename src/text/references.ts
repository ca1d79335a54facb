import type { TreeCursor } from '@lezer/common';
import { DateRef, Details, IssueKey, Mention, MentionName } from '../../grammar/parser.terms.ts';
import { dateEnd } from '../../grammar/references.ts';
import { rangeOf, rowAt } from './rows.ts';
import type { Checklist } from './types.ts';

/** A person, day or issue that a row names. Positions count from the text's start. */
export interface Reference {
  type: number;
  from: number;
  to: number;
  /** Account id, ISO day or issue key; empty for a name that is not resolved to a person. */
  value: string;
  /** Whether it stands in the line itself, not inside emphasis, a link or a label. */
  top: boolean;
}

/** `[~accountid:ID]` → ID. */
export const accountIdOf = (mention: string): string => mention.slice('[~accountid:'.length, -1);

/** A date of either notation → `yyyy-mm-dd`. */
export const isoDayOf = (date: string): string =>
  /^\d{4}/.test(date) ? date.replace(/\D/g, '-') : `${date.slice(6)}-${date.slice(3, 5)}-${date.slice(0, 2)}`;

/** Whether this is a day that the language knows, written as `yyyy-mm-dd`. */
export const isIsoDay = (day: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) && dateEnd({ peek: at => day.charCodeAt(at) || -1 }, 0) === day.length;

/** An ISO day in the notation of another date, separator included. */
export function dayInNotationOf(date: string, isoDay: string): string {
  const [year = '', month = '', day = ''] = isoDay.split('-');
  const parts = /^\d{4}/.test(date) ? [year, month, day] : [day, month, year];
  return parts.join(/\D/.exec(date)?.[0]);
}

const valueOfType = new Map<number, (raw: string) => string>([
  [Mention, accountIdOf],
  [MentionName, () => ''],
  [DateRef, isoDayOf],
  [IssueKey, key => key],
]);

/** Adds the reference at the cursor, or those inside the node there, to the list. The cursor stays where it is. */
export function collectReferences(cursor: TreeCursor, text: string, into: Reference[], top = true): void {
  const { type, from, to } = cursor;
  const value = valueOfType.get(type.id);
  if (value) into.push({ type: type.id, from, to, value: value(text.slice(from, to)), top });
  else if (cursor.firstChild()) {
    do collectReferences(cursor, text, into, false);
    while (cursor.nextSibling());
    cursor.parent();
  }
}

/** The references in the content of a row, without its details. */
export function inLineReferences(checklist: Checklist, index: number): Reference[] {
  const references: Reference[] = [];
  const { from } = rangeOf(checklist, index);
  const cursor = checklist.tree.cursor();
  if (!cursor.childAfter(from) || !cursor.firstChild()) return references;
  const contentFrom = from + rowAt(checklist, index).content.from;
  do
    if (cursor.from >= contentFrom && cursor.type.id !== Details) collectReferences(cursor, checklist.text, references);
  while (cursor.nextSibling());
  return references;
}

const ofType = (references: readonly Reference[], type: number) => references.find(found => found.type === type)?.value;

/** Words that need the person named behind them, in the languages of most sites. None that often ends a sentence. */
const linking =
  /[,&/]$|(?:^|[^\p{L}\p{N}])(?:by|with|from|to|for|of|and|or|via|than|von|mit|für|durch|und|oder|par|avec|pour|chez|et|ou|à|por|con|com|para|da|door|voor|met)$/iu;
/** More characters than the longest of them has. */
const MAX_LINKING_CHARS = 8;

/** Whether a mention that begins at a place belongs to the sentence before it: "Approved by @Ana". */
export function isLinked(text: string, from: number): boolean {
  return linking.test(text.slice(0, from).trimEnd().slice(-MAX_LINKING_CHARS));
}

/** The mentions and dates at the very end of a line, with nothing but blanks between them. */
function runOf(references: readonly Reference[], text: string, lineTo: number): readonly Reference[] {
  let start = references.length;
  for (let end = lineTo; start > 0; start--) {
    const last = references[start - 1];
    if (!last?.top || last.type === IssueKey || text.slice(last.to, end).trim() !== '') break;
    end = last.from;
  }
  return references.slice(start);
}

/** The tail: the run of mentions and dates at the very end of a line, without a mention that belongs to the sentence. */
export function tailOf(references: readonly Reference[], text: string, lineTo: number): readonly Reference[] {
  const run = runOf(references, text, lineTo);
  const [first] = run;
  return first?.type === Mention && isLinked(text, first.from) ? run.slice(1) : run;
}

interface Assignment {
  assignee?: string;
  dueDate?: string;
}

/** The assignee and the due date of a line: the tail's first ones, else the line's. */
export function assignmentOf(
  references: readonly Reference[],
  text: string,
  lineTo: number,
): { assignment: Assignment; wordsTo: number } {
  if (references.length === 0) return { assignment: {}, wordsTo: lineTo };
  const tail = tailOf(references, text, lineTo);
  const assignee =
    ofType(tail, Mention) ?? ofType(runOf(references, text, lineTo), Mention) ?? ofType(references, Mention);
  const dueDate = ofType(tail, DateRef) ?? ofType(references, DateRef);
  const assignment = { ...(assignee !== undefined && { assignee }), ...(dueDate !== undefined && { dueDate }) };
  return { assignment, wordsTo: chipsOf(tail, assignment)[0]?.from ?? lineTo };
}

/**
 * The references of a tail that are shown beside the words: the assignee and the due date at the very end. Empty if the
 * tail names two people or two days.
 */
function chipsOf(tail: readonly Reference[], { assignee, dueDate }: Assignment): readonly Reference[] {
  const chips = tail.slice(tail.findLastIndex(({ type }) => type === MentionName) + 1);
  const types = new Set(chips.map(({ type }) => type));
  const isOfRow = ({ type, value }: Reference) => value === (type === Mention ? assignee : dueDate);
  return types.size === chips.length && chips.every(isOfRow) ? chips : [];
}

const none: readonly string[] = [];

/** The distinct values of one type, in the order in which they are first met. */
export function valuesOf(references: readonly Reference[], type: number): readonly string[] {
  const matchingReferences = references.filter(reference => reference.type === type);
  return matchingReferences.length === 0 ? none : [...new Set(matchingReferences.map(({ value }) => value))];
}
