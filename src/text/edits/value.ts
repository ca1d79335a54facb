import { applyChanges, replaceText } from '../document.ts';
import { ambiguousText, ChangedMeanwhile, EditRefused, ItemsRequired } from '../errors.ts';
import { type Attribute, isAttribute } from '../merge/row.ts';
import { splitContent } from '../merge/units.ts';
import { readChecklist } from '../read.ts';
import { rangeOf, targetOf } from '../rows.ts';
import type { Checklist, Row, Target, TextChange } from '../types.ts';
import { setStatus } from './item.ts';
import { joinChanges } from './join-changes.ts';
import { partsOf } from './parts.ts';
import { rename } from './rename.ts';

/** Whether a row is what a conflict's kind says: a header's hashes, or an item's mark. */
const isOfKind = (row: Row | undefined, value: string): boolean =>
  value.startsWith('#') ? row?.kind === 'header' && row.level === value.length : row?.kind === 'checkbox';

/**
 * Gives one attribute of a row the value that a merge's conflict quotes: what the other side had. Throws `EditRefused`
 * if the language cannot say it of this row any more, and `ChangedMeanwhile` if the row is not there.
 */
export function setValue(checklist: Checklist, target: Target, attribute: Attribute, value: string): TextChange[] {
  const parts = partsOf(checklist, target);
  if (attribute === 'status') {
    const status = checklist.statuses.list.find(({ name }) => name === value);
    if (!status) throw new EditRefused('UNKNOWN_STATUS', 'This status does not exist.');
    return setStatus(checklist, target, status.slug);
  }
  const { from, to } = rangeOf(checklist, parts.index);
  if (attribute === 'kind') {
    const indent = /^[ \t\xa0]*/.exec(parts.head)?.[0] ?? '';
    const head = `${indent}${value} `;
    const row = readChecklist(head + parts.content, checklist.statuses).rows[0];
    if (!isOfKind(row, value) || row?.text !== parts.row.text) throw ambiguousText();
    return replaceText(parts.head, head, from);
  }
  if (attribute === 'details') {
    const line = /\n|$/.exec(parts.rest)?.index ?? parts.rest.length;
    const end = checklist.text.slice(0, to).endsWith('\n') ? to - 1 : to;
    const place = from + parts.head.length + parts.content.length + line;
    return replaceText(checklist.text.slice(place, end), value === '' ? '' : `\n${value}`, place);
  }
  const { body, people, days, marks } = splitContent(parts);
  const content = [
    attribute === 'text' ? value : body,
    attribute === 'assignee' ? value : people,
    attribute === 'dueDate' ? value : days,
    ...marks.values(),
  ];
  return rename(checklist, target, content.filter(part => part !== '').join(' '));
}

/** A value for an attribute of the row at an index. */
export interface RowValue {
  index: number;
  attribute: string;
  value: string;
}

/**
 * The text with these values, which leaves out those that a row can't have. Each row keeps its index. The values of
 * one row come into the text one after the other.
 */
export function setValues(
  checklist: Checklist,
  values: readonly RowValue[],
  read: (text: string, like: string) => Checklist,
): string {
  let current = checklist;
  for (let remainingValues = values; remainingValues.length > 0; ) {
    const later: RowValue[] = [];
    const changes = new Map<number, TextChange[]>();
    for (const value of remainingValues) {
      if (changes.has(value.index)) later.push(value);
      else changes.set(value.index, changesFor(current, value));
    }
    const text = applyChanges(current.text, joinChanges(...changes.values()));
    const next = text === current.text ? current : read(text, current.text);
    if (next.rows.length === checklist.rows.length) current = next;
    remainingValues = later;
  }
  return current.text;
}

/** The change that empties a row, whose mark stays. */
function withoutContent(checklist: Checklist, target: Target): TextChange[] {
  const { head, content, index } = partsOf(checklist, target);
  return replaceText(content, '', rangeOf(checklist, index).from + head.length);
}

function changesFor(checklist: Checklist, { index, attribute, value }: RowValue): TextChange[] {
  if (!isAttribute(attribute) || !checklist.rows[index]) return [];
  const target = targetOf(checklist, index);
  try {
    return setValue(checklist, target, attribute, value);
  } catch (error) {
    // A row was empty before words were typed into it.
    if (error instanceof ItemsRequired && attribute === 'text') return withoutContent(checklist, target);
    if (error instanceof EditRefused || error instanceof ItemsRequired || error instanceof ChangedMeanwhile) return [];
    throw error;
  }
}
