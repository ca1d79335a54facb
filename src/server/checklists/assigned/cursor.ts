import * as v from 'valibot';
import { failures } from '../../../domain/messages.ts';
import { readAs, readJson } from '../../../domain/shape.ts';
import { isIsoDay } from '../../../text/references.ts';
import { Refused } from '../../errors/refused.ts';
import { isIssueId } from '../../platform/tracker/issue.ts';

/** A day of the calendar: February has no 30th. */
export const isoDay = v.pipe(v.string(), v.check(isIsoDay));

/** An item's position in either order. */
const shape = v.object({
  issue: v.pipe(v.string(), v.check(isIssueId)),
  position: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000_000)),
  due: v.nullable(isoDay),
});
export type ItemPosition = v.InferOutput<typeof shape>;

/** The cursor of a page's end. */
export const writeCursor = ({ issue, position, due }: ItemPosition): string =>
  Buffer.from(JSON.stringify({ issue, position, due })).toString('base64url');

/** Throws `Refused` for an invalid cursor. */
export function readCursor(cursor: string): ItemPosition {
  const place = readAs(shape, readJson(Buffer.from(cursor, 'base64url').toString()));
  if (!place) throw new Refused('UNKNOWN', failures.unknown, 'after');
  return place;
}
