import * as z from 'zod';
import { failures } from '../../../domain/messages.ts';
import { readJson } from '../../../domain/shape.ts';
import { Refused } from '../../errors/refused.ts';
import { isIssueId } from '../../platform/tracker/issue.ts';

/** An item's position in either order. */
const shape = z.object({
  issue: z.string().refine(isIssueId),
  position: z.number().int().min(0).max(1_000_000),
  due: z.iso.date().nullable(),
});
export type ItemPosition = z.infer<typeof shape>;

/** The cursor of a page's end. */
export const writeCursor = ({ issue, position, due }: ItemPosition): string =>
  Buffer.from(JSON.stringify({ issue, position, due })).toString('base64url');

/** Throws `Refused` for an invalid cursor. */
export function readCursor(cursor: string): ItemPosition {
  const place = shape.safeParse(readJson(Buffer.from(cursor, 'base64url').toString()));
  if (!place.success) throw new Refused('UNKNOWN', failures.unknown, 'after');
  return place.data;
}
