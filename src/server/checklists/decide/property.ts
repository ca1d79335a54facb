import { isDeepStrictEqual } from 'node:util';
import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import type { RegistryStatus } from '../../../domain/statuses.ts';
import { type ChecklistProperty, encodedSize, packRowIds } from '../../../domain/storage.ts';
import { progressOf } from '../../../text/progress.ts';
import { ruleCounts, ruleData } from '../../../text/property/rules.ts';
import { searchData } from '../../../text/property/search.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { Checklist } from '../../../text/types.ts';
import { hashText } from '../../text-workers/hash.ts';
import { readText, registryBy } from '../../text-workers/reading.ts';
import { textTask } from '../../text-workers/task.ts';
import type { Version } from './state.ts';

/** UTF-16 units of a member besides its value. */
const member = (name: string): number => `,"${name}":`.length;

type Written = Omit<Version, 'hash'>;
/** The members on which a property's size depends. */
type Sizable = Omit<Written, 'rows'>;

/** The members that a property's value always has. */
function baseOf({ epoch, seq, name, text }: Sizable, checklist: Checklist) {
  const progress = progressOf(checklist.rows);
  const label = progress.total > 0 && { label: `${progress.checked}/${progress.total}` };
  return { v: 1, epoch, seq, name, text, progress, ...label } as const;
}

/**
 * The property's value for a revision. Of what does not fit, the text goes first, then progress, then the counts that
 * workflow rules decide by, then search data, then the names in the rules' refusals,
 * then the ids of the rows.
 */
export function propertyOf(version: Written, statuses: StatusRegistry): ChecklistProperty {
  const checklist = readText(version.text, statuses);
  const base = baseOf(version, checklist);
  const room = (value: unknown, next: string) => PROPERTY_CAPACITY - encodedSize(value) - member(next);
  // Larger ones are refused, and need no more than their size.
  if (room(base, '') <= 0) return base;
  const counts = ruleCounts(checklist);
  const hasRules = encodedSize(counts) <= room(base, 'rules');
  const counted = hasRules ? { ...base, rules: counts } : base;
  const search = searchData(checklist.rows, room(counted, 'search'));
  const searched = search ? { ...counted, search } : counted;
  if (!hasRules) return searched;
  const ruled = { ...searched, rules: ruleData(checklist, PROPERTY_CAPACITY - encodedSize(searched)) };
  const rows = packRowIds(version.text, version.rows);
  return rows !== undefined && encodedSize(rows) <= room(ruled, 'rows') ? { ...ruled, rows } : ruled;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A property's value without statuses that no item has: rules read a missing one in the same way. */
function withoutUnused(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value.rules) || !isRecord(value.rules.statuses)) return value;
  const statuses = Object.fromEntries(Object.entries(value.rules.statuses).filter(([, sentence]) => sentence !== ''));
  return { ...value, rules: { ...value.rules, statuses } };
}

/** Whether the tracker holds this value of the property, up to what makes no difference to its readers. */
export const isSameProperty = (storedValue: unknown, value: ChecklistProperty): boolean =>
  isDeepStrictEqual(withoutUnused(storedValue), withoutUnused(value));

/** A property's value without its stamp and the ids of rows, which search, gadgets and workflow rules do not read. */
const searchable = ({ epoch: _epoch, seq: _seq, rows: _rows, ...value }: Readonly<Record<string, unknown>>): unknown =>
  withoutUnused(value);

/** Whether all that search, fields, gadgets and workflow rules read of the property is as in this value. */
export const isSameToReaders = (storedValue: unknown, value: ChecklistProperty): boolean =>
  isRecord(storedValue) && isDeepStrictEqual(searchable(storedValue), searchable({ ...value }));

/** A hash of a property's value without its stamp, to see without a read whether a new value would differ. */
export const propertyPrint = ({ epoch: _epoch, seq: _seq, ...value }: ChecklistProperty): string =>
  hashText(JSON.stringify(withoutUnused(value)));

/** An upper bound of the size of progress. */
const MAX_PROGRESS_SIZE = 200;

/** Whether a revision's size is so far below the property's capacity that its text need not be read to know that. */
const isFarBelow = ({ epoch, seq, name, text }: Sizable, free = 0): boolean =>
  encodedSize({ v: 1, epoch, seq, name, text }) + MAX_PROGRESS_SIZE + free <= PROPERTY_CAPACITY;

/**
 * The size of a revision that exceeds the property's capacity, or does not leave `free` UTF-16 units of it; `undefined`
 * if it fits.
 */
export function excessSize(version: Sizable, statuses: StatusRegistry, free = 0): number | undefined {
  if (isFarBelow(version, free)) return undefined;
  const size = encodedSize(baseOf(version, readText(version.text, statuses))) + free;
  return size <= PROPERTY_CAPACITY ? undefined : size;
}

interface Sized {
  version: Sizable;
  statuses: readonly RegistryStatus[];
}

/** Computes the size of a revision that exceeds the property's capacity (`excessSize`). */
export const excess = textTask({
  name: 'excess',
  run: ({ version, statuses }: Sized) => excessSize(version, registryBy(statuses)),
  charactersOf: ({ version }: Sized) => (isFarBelow(version) ? 0 : version.text.length),
});
