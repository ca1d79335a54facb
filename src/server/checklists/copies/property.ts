import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { storage } from '../../../domain/messages.ts';
import { type ChecklistProperty, encodedSize } from '../../../domain/storage.ts';
import { progressOf } from '../../../text/progress.ts';
import { searchData } from '../../../text/search.ts';
import type { StatusRegistry } from '../../../text/statuses.ts';
import { readText } from '../../common/reading.ts';
import { Refused } from '../../errors/refused.ts';
import type { Version } from '../revisions.ts';

/** UTF-16 units of the member besides its value. */
const SEARCH = ',"search":'.length;

/** The property's value for a revision, including the data for searches. */
export function propertyOf(
  { epoch, seq, name, text }: Omit<Version, 'hash' | 'rows'>,
  statuses: StatusRegistry,
): ChecklistProperty {
  const { rows } = readText(text, statuses);
  const property = { v: 1, epoch, seq, name, text, progress: progressOf(rows) } as const;
  const search = searchData(rows, PROPERTY_CAPACITY - encodedSize(property) - SEARCH);
  return { ...property, ...(search && { search }) };
}

/** An upper bound of the size of progress. */
const PROGRESS = 200;

/** The refusal of a revision that exceeds the property's capacity. */
export function tooLarge(version: Omit<Version, 'hash' | 'rows'>, statuses: StatusRegistry): Refused | undefined {
  const { epoch, seq, name, text } = version;
  // Avoids parsing texts that are far below the capacity.
  if (encodedSize({ v: 1, epoch, seq, name, text }) + PROGRESS <= PROPERTY_CAPACITY) return undefined;
  const size = encodedSize(propertyOf(version, statuses));
  if (size <= PROPERTY_CAPACITY) return undefined;
  return new Refused('TOO_LARGE', storage.tooLarge(size, PROPERTY_CAPACITY), 'text');
}
