import { FIELD_NAME, isChecklistField, parseChecklistProperty, type StoredChecklist } from '../../../domain/storage.ts';
import { cleanText } from '../../../text/document.ts';
import { hasRows } from '../../../text/edits/rows.ts';
import type { TrackerIssue } from '../../platform/tracker/issue.ts';
import { flatText } from '../../platform/tracker/richtext.ts';
import { noPosition } from '../decide/state.ts';
import type { ChecklistSource } from '../service/types.ts';
import { type FieldText, isPlain } from './revisions.ts';

/** A checklist in the tracker. A foreign one has epoch '' and seq 0. */
export interface TrackerChecklist {
  epoch: string;
  seq: number;
  name: string;
  text: string;
  source: ChecklistSource;
}

/** The largest integer of the database. */
const MAX_SEQ = 2 ** 31 - 1;
const isSeq = (seq: number) => Number.isInteger(seq) && seq >= 0 && seq <= MAX_SEQ;

const cleaned = (text: string): string => cleanText(text).text;

/** The property's value with clean texts, and without an invalid position. */
export function storedProperty(issue: TrackerIssue): StoredChecklist {
  const property = parseChecklistProperty(issue.property);
  if (property.kind === 'text') return { kind: 'text', text: cleaned(property.text) };
  if (property.kind !== 'ours') return property;
  const isPlace = isSeq(property.seq) && isPlain(property.epoch);
  const place = isPlace ? {} : { epoch: noPosition.epoch, seq: noPosition.seq };
  return { ...property, ...place, name: cleaned(property.name), text: cleaned(property.text) };
}

/** Editors of the issue can write any number to the property; the numbers after it must fit the database. */
const MAX_NEXT_SEQ = 1_000_000_000;

/** The property's number within an epoch, 0 if new revisions cannot follow it. */
export function storedSeq(issue: TrackerIssue, epoch: string): number {
  const property = storedProperty(issue);
  return property.kind === 'ours' && property.epoch === epoch && property.seq < MAX_NEXT_SEQ ? property.seq : 0;
}

/** The app's field first, then the field with the standard name, then the fields with names of migrations. */
function fieldText({ fields }: TrackerIssue, ownField: string | undefined): string | undefined {
  const rank = ({ id, name }: { id: string; name: string }) => (id === ownField ? 0 : name === FIELD_NAME ? 1 : 2);
  return fields
    .filter(({ id, name }) => id === ownField || isChecklistField(name))
    .sort((a, b) => rank(a) - rank(b))
    .map(({ value }) => flatText(value))
    .find(text => text?.trim());
}

/** The checklist of the previous edition, if it has rows. */
export function inheritedText(issue: TrackerIssue): { name: string; text: string } | undefined {
  const inheritedProperty = parseChecklistProperty(issue.inherited);
  if (!('text' in inheritedProperty)) return undefined;
  const text = cleaned(inheritedProperty.text);
  if (!hasRows(text)) return undefined;
  return { name: inheritedProperty.kind === 'ours' ? cleaned(inheritedProperty.name) : noPosition.name, text };
}

/**
 * The checklist of an issue that the app never wrote: its property, else that of the previous edition, else a field,
 * else nothing.
 */
export function firstStored(issue: TrackerIssue, ownField: string | undefined): TrackerChecklist {
  const property = storedProperty(issue);
  if (property.kind === 'ours') {
    const { epoch, seq, name, text } = property;
    return { epoch, seq, name, text, source: 'PROPERTY' };
  }
  if (property.kind === 'text') return { ...noPosition, text: property.text, source: 'PROPERTY' };
  const inherited = inheritedText(issue);
  if (inherited) return { ...noPosition, ...inherited, source: 'PROPERTY' };
  const text = fieldText(issue, ownField);
  if (text !== undefined) return { ...noPosition, text: cleaned(text), source: 'FIELD' };
  return { ...noPosition, text: '', source: 'NONE' };
}

/** Bullets in the notation of a rich-text field. */
const bullet = /^\*+(?=[ \t])/gm;

/** The field's value as lines of a checklist; `undefined` if the issue lacks the field. */
export function fieldOf({ fields }: TrackerIssue, id: string | undefined): FieldText | undefined {
  const field = fields.find(each => each.id === id);
  if (!field) return undefined;
  const { text } = cleanText(flatText(field.value) ?? '');
  return { id: field.id, text: text.replace(bullet, '-') };
}

/** Normalizes a field's text for comparison: the tracker changes spaces and blank lines. */
export const normalizedField = (text: string): string =>
  cleanText(text)
    .text.replace(bullet, '-')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Whether two texts of the field are equal up to the tracker's normalization. */
export const sameField = (one: string, other: string): boolean => normalizedField(one) === normalizedField(other);
