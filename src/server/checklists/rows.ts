import { randomBytes } from 'node:crypto';
import { carry, type Identified, type Reader } from '../../text/identity.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import { readText } from './reading.ts';

/** Reads texts by these statuses, and gives new rows lasting ids. */
export const readerBy = (statuses: StatusRegistry): Reader => ({
  read: (text, like) => readText(text, statuses, like),
  newId: () => randomBytes(6).toString('base64url'),
});

/** The rows' ids after a change, see `carry`. */
export const carryRows = (
  before: Identified,
  after: string,
  statuses: StatusRegistry,
  earlier: readonly Identified[] = [],
): string[] => carry(before, after, earlier, readerBy(statuses));
