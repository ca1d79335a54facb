import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { storage } from '../../../domain/messages.ts';
import { type ChecklistProperty, encodedSize } from '../../../domain/storage.ts';
import { progressOf } from '../../../text/progress.ts';
import { searchData } from '../../../text/search.ts';
import type { StatusRegistry } from '../../../text/statuses.ts';
import { readText } from '../../common/reading.ts';
import { Refused } from '../../errors/refused.ts';
import type { Version } from '../revisions.ts';

/** What the member takes besides its value. */
const SEARCH = ',"search":'.length;

/** The property's value for a version: what people search for is in it too, so that one write does both. */
export function propertyOf(
  { epoch, seq, name, text }: Omit<Version, 'hash' | 'rows'>,
  statuses: StatusRegistry,
): ChecklistProperty {
  const { rows } = readText(text, statuses);
  const property = { v: 1, epoch, seq, name, text, progress: progressOf(rows) } as const;
  const search = searchData(rows, PROPERTY_CAPACITY - encodedSize(property) - SEARCH);
  return { ...property, ...(search && { search }) };
}

/** More than progress takes. */
const PROGRESS = 200;

/** Why a version cannot be stored; `undefined` where it can. */
export function tooLarge(version: Omit<Version, 'hash' | 'rows'>, statuses: StatusRegistry): Refused | undefined {
  const { epoch, seq, name, text } = version;
  // Most are far from it, and not worth reading once more.
  if (encodedSize({ v: 1, epoch, seq, name, text }) + PROGRESS <= PROPERTY_CAPACITY) return undefined;
  const size = encodedSize(propertyOf(version, statuses));
  if (size <= PROPERTY_CAPACITY) return undefined;
  return new Refused('TOO_LARGE', storage.tooLarge(size, PROPERTY_CAPACITY), 'text');
}
