import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { storage } from '../../domain/messages.ts';
import { encodedSize } from '../../domain/storage.ts';
import { merge } from '../../text/merge.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import type { TrackerIssue } from '../tracker/issue.ts';
import type { FoundText } from './echo.ts';
import { fieldOf, sameField } from './field.ts';
import { foreignFieldBase, foreignProperty, type Rewritten } from './foreign.ts';
import type { Known } from './known.ts';
import { likeliestBase } from './likeliest.ts';
import { propertyOf, tooLarge } from './property.ts';
import type { FieldText, Place, Version } from './revisions.ts';
import { carryRows } from './rows.ts';
import type { Site } from './site.ts';
import { firstStored, inheritedText, nowhere, storedProperty } from './stored.ts';
import type { ChecklistSource, Conflict } from './types.ts';

/** A checklist with its rows' lasting ids. */
export interface Standing {
  name: string;
  text: string;
  rows: readonly string[];
}

/** What somebody wrote into a storage behind our back, or had in the edition before, merged: a step that our history lacks. */
export interface Foreign extends Standing {
  kind: 'foreignProperty' | 'foreignField' | 'inherited';
  conflicts: Conflict[];
}

/** What an issue's checklist is, by what the tracker holds and what we know. */
export interface Reconciled {
  current: Standing;
  source: ChecklistSource;
  /** Where in a history the current text stands; ours, or what an unknown property says of itself. */
  place: { epoch: string; seq: number };
  /** Oldest first; the last one is the current checklist. */
  foreign: readonly Foreign[];
  /** What others last wrote into the property, where that is part of it. */
  found: FoundText | undefined;
  /** The property does not hold the last version and is to be written, even if nothing else changes. */
  repair: boolean;
  /** The field that mirrors the checklist, where what it holds is part of the checklist only now. */
  taken: FieldText | undefined;
  /** The field can be seen, nothing in it was left out, and it does not hold the current checklist. */
  differs: boolean;
  /** Why what the field holds was left out. */
  notice: string | undefined;
}

/** The issue as it was found, whose project has these statuses, and the field that mirrors its checklist. */
interface Found {
  issue: TrackerIssue;
  statuses: StatusRegistry;
  fieldId: string | undefined;
}

const empty: Standing = { ...nowhere, text: '', rows: [] };

/**
 * What the tracker holds of an issue that we never wrote, as the first steps of its history. What the edition before this
 * one has comes first: whoever is the first to change anything here does so on top of that.
 */
function first({ issue, statuses, fieldId }: Found): Reconciled {
  const { source, epoch, seq, name, text } = firstStored(issue, fieldId);
  const inherited = inheritedText(issue);
  const field = fieldOf(issue, fieldId);
  const property = storedProperty(issue);
  const steps: Foreign[] = [];
  let notice: string | undefined;
  const current = (): Standing => steps.at(-1) ?? empty;
  const step = (kind: Foreign['kind'], to: Pick<Standing, 'name' | 'text'>) => {
    if (to.text === current().text && to.name === current().name) return;
    steps.push({ kind, ...to, rows: carryRows(current(), to.text, statuses), conflicts: [] });
  };
  const other = field?.text.trim() && !sameField(field.text, text) ? field.text : undefined;
  const isOwn = 'text' in property;
  if (inherited) step('inherited', inherited);
  // Our property goes first; what the others say otherwise stays in the history.
  if (isOwn) {
    if (other !== undefined) step('foreignField', { name: nowhere.name, text: other });
    step('foreignProperty', { name, text });
  } else if (inherited && other !== undefined) {
    const from = { name, text: likeliestBase(other, '', [text]) };
    const both = joined('foreignField', { from, to: { name, text: other } }, current(), statuses);
    if (both) notice = notTaken({ epoch, seq, ...both }, statuses);
    if (both && !notice) steps.push(both);
  } else if (source === 'FIELD') step('foreignField', { name, text });
  return {
    current: current(),
    source,
    place: { epoch, seq },
    foreign: steps,
    found: isOwn && steps.length > 0 ? { text, base: null } : undefined,
    repair: false,
    taken: notice ? undefined : field,
    differs: !notice && field !== undefined && !sameField(field.text, current().text),
    notice,
  };
}

/** Their change on top of the current checklist; `undefined` where that changes nothing. */
function joined(
  kind: Foreign['kind'],
  { from, to }: Rewritten,
  current: Standing,
  statuses: StatusRegistry,
): Foreign | undefined {
  const { text, conflicts } = merge(from.text, to.text, current.text, statuses);
  const name = to.name === from.name ? current.name : to.name;
  if (text === current.text && name === current.name) return undefined;
  return {
    kind,
    name,
    text,
    rows: text === current.text ? current.rows : carryRows(current, text, statuses),
    conflicts,
  };
}

/** Why what the field holds is left out of a checklist that it would make too large; `undefined` where it would not. */
function notTaken(version: Parameters<typeof tooLarge>[0], statuses: StatusRegistry): string | undefined {
  if (!tooLarge(version, statuses)) return undefined;
  return storage.fieldNotTaken(encodedSize(propertyOf(version, statuses)), PROPERTY_CAPACITY);
}

const holds = (issue: TrackerIssue, { epoch, seq, name, text }: Version): boolean => {
  const property = storedProperty(issue);
  if (property.kind !== 'ours' || property.epoch !== epoch || property.seq !== seq) return false;
  return property.name === name && property.text === text;
};

/**
 * Finds out what others wrote: into the property, and into the field that mirrors the checklist, each from what that
 * storage held before. An absent property is not an empty checklist.
 */
export async function reconcile(
  site: Site,
  place: Place,
  found: Found,
  { last, mirror, intent }: Pick<Known, 'last' | 'mirror' | 'intent'>,
): Promise<Reconciled> {
  if (!last) return first(found);
  const { issue, statuses, fieldId } = found;
  const property = storedProperty(issue);
  const steps: Foreign[] = [];
  const current = (): Standing => steps.at(-1) ?? last;
  const add = (step: Foreign | undefined) => {
    if (step) steps.push(step);
  };

  const rewritten = await foreignProperty(site, place, property, { last, intent });
  for (const each of rewritten) add(joined('foreignProperty', each, current(), statuses));

  const field = fieldOf(issue, fieldId);
  let taken: FieldText | undefined;
  let notice: string | undefined;
  const base = field && (await foreignFieldBase(site, place, field, { mirror, current: current().text }));
  if (field && base !== undefined) {
    const { name } = current();
    const step = joined(
      'foreignField',
      { from: { name, text: base }, to: { name, text: field.text } },
      current(),
      statuses,
    );
    notice = step && notTaken({ ...last, ...step }, statuses);
    if (!notice) {
      add(step);
      taken = field;
    }
  }
  const written = rewritten.at(-1);
  return {
    current: current(),
    source: property.kind === 'ours' || property.kind === 'text' ? 'PROPERTY' : 'REVISION',
    place: steps.length ? nowhere : last,
    foreign: steps,
    found:
      written && steps.some(({ kind }) => kind === 'foreignProperty')
        ? { text: written.to.text, base: written.from.text }
        : undefined,
    repair: !holds(issue, last),
    taken,
    differs: !notice && field !== undefined && !sameField(field.text, current().text),
    notice,
  };
}
