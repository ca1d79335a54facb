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
import { propertyOf, tooLarge } from './property.ts';
import type { FieldText, Place, Version } from './revisions.ts';
import { carryRows } from './rows.ts';
import type { Site } from './site.ts';
import { firstStored, nowhere, storedProperty } from './stored.ts';
import type { ChecklistSource, Conflict } from './types.ts';

/** A checklist with its rows' lasting ids. */
export interface Standing {
  name: string;
  text: string;
  rows: readonly string[];
}

/** What somebody wrote into a storage behind our back, merged: a step that our history lacks. */
export interface Foreign extends Standing {
  kind: 'foreignProperty' | 'foreignField';
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

/** What the tracker holds of an issue that we never wrote, as the first steps of its history. */
function first({ issue, statuses, fieldId }: Found): Reconciled {
  const { source, epoch, seq, name, text } = firstStored(issue, fieldId);
  const field = fieldOf(issue, fieldId);
  const steps: Foreign[] = [];
  const step = (kind: Foreign['kind'], to: Pick<Standing, 'name' | 'text'>) => {
    const rows = carryRows(steps.at(-1) ?? empty, to.text, statuses);
    steps.push({ kind, ...to, rows, conflicts: [] });
  };
  // The property goes first; what the field says otherwise stays in the history.
  if (source === 'PROPERTY' && field?.text.trim() && !sameField(field.text, text)) {
    step('foreignField', { name: nowhere.name, text: field.text });
  }
  if (source === 'FIELD') step('foreignField', { name, text });
  else if (text !== '' || name !== nowhere.name || steps.length) step('foreignProperty', { name, text });
  const current = steps.at(-1) ?? empty;
  return {
    current,
    source,
    place: { epoch, seq },
    foreign: steps,
    found: source === 'PROPERTY' && steps.length > 0 ? { text, base: null } : undefined,
    repair: false,
    taken: field,
    differs: field !== undefined && !sameField(field.text, text),
    notice: undefined,
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
    if (step && tooLarge({ ...last, ...step }, statuses)) {
      notice = storage.fieldNotTaken(encodedSize(propertyOf({ ...last, ...step }, statuses)), PROPERTY_CAPACITY);
    } else {
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
