import {
  DEFAULT_NAME,
  FIELD_NAME,
  isChecklistField,
  parseChecklistProperty,
  type StoredChecklist,
} from '../../../domain/storage.ts';
import { cleanText } from '../../../text/document.ts';
import { readChecklist } from '../../../text/read.ts';
import type { TrackerIssue } from '../../platform/tracker/issue.ts';
import { flatText } from '../../platform/tracker/richtext.ts';
import { isPlain } from '../revisions.ts';
import type { ChecklistSource } from '../types.ts';

/** A checklist as the tracker holds it. What is not ours has epoch '' and seq 0. */
export interface Stored {
  epoch: string;
  seq: number;
  name: string;
  text: string;
  source: ChecklistSource;
}

/** What is not ours has no place in our history. */
export const nowhere = { epoch: '', seq: 0, name: DEFAULT_NAME };

/** What the database can be asked for. */
const MAX_SEQ = 2 ** 31 - 1;
const isSeq = (seq: number) => Number.isInteger(seq) && seq >= 0 && seq <= MAX_SEQ;

const cleaned = (text: string): string => cleanText(text).text;

/** The property's value with clean texts, and without a place that cannot be one of ours. */
export function storedProperty(issue: TrackerIssue): StoredChecklist {
  const property = parseChecklistProperty(issue.property);
  if (property.kind === 'text') return { kind: 'text', text: cleaned(property.text) };
  if (property.kind !== 'ours') return property;
  const isPlace = isSeq(property.seq) && isPlain(property.epoch);
  const place = isPlace ? {} : { epoch: nowhere.epoch, seq: nowhere.seq };
  return { ...property, ...place, name: cleaned(property.name), text: cleaned(property.text) };
}

/** Whoever may edit the issue can write any number there: what follows ours must still fit the database. */
const MAX_NEXT = 1_000_000_000;

/** The number that the property bears within an epoch, as far as ours may follow it. */
export function storedSeq(issue: TrackerIssue, epoch: string): number {
  const property = storedProperty(issue);
  return property.kind === 'ours' && property.epoch === epoch && property.seq < MAX_NEXT ? property.seq : 0;
}

/** Our own field first, then the one of the usual name, then those that migrations named. */
function fieldText({ fields }: TrackerIssue, ownField: string | undefined): string | undefined {
  const rank = ({ id, name }: { id: string; name: string }) => (id === ownField ? 0 : name === FIELD_NAME ? 1 : 2);
  return fields
    .filter(({ id, name }) => id === ownField || isChecklistField(name))
    .sort((a, b) => rank(a) - rank(b))
    .map(({ value }) => flatText(value))
    .find(text => text?.trim());
}

/** What the edition before this one has stored, where that is a checklist with rows. */
export function inheritedText(issue: TrackerIssue): { name: string; text: string } | undefined {
  const found = parseChecklistProperty(issue.inherited);
  if (!('text' in found)) return undefined;
  const text = cleaned(found.text);
  if (readChecklist(text).rows.length === 0) return undefined;
  return { name: found.kind === 'ours' ? cleaned(found.name) : nowhere.name, text };
}

/**
 * The checklist of an issue that we never wrote: its property, else that of the edition before this one, else a field,
 * else nothing (spec §3).
 */
export function firstStored(issue: TrackerIssue, ownField: string | undefined): Stored {
  const property = storedProperty(issue);
  if (property.kind === 'ours') {
    const { epoch, seq, name, text } = property;
    return { epoch, seq, name, text, source: 'PROPERTY' };
  }
  if (property.kind === 'text') return { ...nowhere, text: property.text, source: 'PROPERTY' };
  const inherited = inheritedText(issue);
  if (inherited) return { ...nowhere, ...inherited, source: 'PROPERTY' };
  const text = fieldText(issue, ownField);
  if (text !== undefined) return { ...nowhere, text: cleaned(text), source: 'FIELD' };
  return { ...nowhere, text: '', source: 'NONE' };
}
