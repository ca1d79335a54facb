import { limitReached, storage } from '../../domain/messages.ts';
import { cleanText } from '../../text/document.ts';
import { merge } from '../../text/merge.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import { hashText } from '../hash.ts';
import { Refused } from '../refused.ts';
import { itemCount } from './count.ts';
import { tooLarge } from './property.ts';
import { readText } from './reading.ts';
import type { Revision, Version } from './revisions.ts';
import { carryMerged, carryRows, idsWithin, type Text, withRows } from './rows.ts';
import type { Base, Change } from './types.ts';

/** The text that a change starts from; the rows' ids are known where it is one of ours. */
export interface Start {
  text: string;
  rows?: readonly string[];
}

/** The text of a base, by what is known of its hash. Throws `Refused` when it must be sent along. */
export function startOf({ hash, text, orCurrent }: Base, known: ReadonlyMap<string, Start>, current: Start): Start {
  const start = known.get(hash);
  if (start) return start;
  if (orCurrent) return current;
  if (text !== undefined) return { text: cleanText(text).text };
  throw new Refused('BASE_UNKNOWN', storage.baseUnknown, 'base');
}

/** An edition's limit refuses growth only: whoever ticks, deletes or merges is never stopped by it. */
function refuseGrowth(
  limit: number,
  texts: Record<'base' | 'mine' | 'theirs' | 'merged', string>,
  statuses: StatusRegistry,
): void {
  if (limit === Number.POSITIVE_INFINITY) return;
  const of = (which: keyof typeof texts) => itemCount(texts[which], statuses);
  const count = of('merged');
  if (count > limit && count > of('theirs') && of('mine') > of('base')) {
    throw new Refused('LIMIT_REACHED', limitReached.items, 'text');
  }
}

/** Mine, made of a base, on top of what stands there now, with the rows' ids. */
function joined(start: Text, mine: Text, current: Version, statuses: StatusRegistry) {
  if (mine.text === start.text) return { text: current.text, rows: current.rows, conflicts: [] };
  if (start.text === current.text) return { text: mine.text, rows: [...mine.rows], conflicts: [] };
  // A row that came back on both sides, such as by two who restored it, is one row and not two that were added.
  const base = withRows(start, current, mine.rows, statuses);
  const ids = { base: base.rows, mine: mine.rows, theirs: idsWithin(current.rows, base.rows) };
  const { text, conflicts } = merge(base.text, mine.text, current.text, statuses, ids);
  return { text, rows: carryMerged(current, mine, text, statuses), conflicts };
}

/**
 * The step that an edit adds to the history, `undefined` where it changes nothing. `current` is the checklist as it
 * stands, `next` the number that the step gets. Throws `Refused` and the edit's own errors.
 */
export function stepOf(
  account: string,
  change: Change,
  { start, current, limit, statuses }: { start: Start; current: Version; limit: number; statuses: StatusRegistry },
  { epoch, seq }: Pick<Version, 'epoch' | 'seq'>,
): Revision | undefined {
  // The rows of a text that is none of ours are those that they are now, or are to be again.
  const rowsLike = (known: Text) => (start.rows?.length ? start.rows : carryRows(known, start.text, statuses));
  const mine = change.apply(start.text, statuses, () => rowsLike(current));
  const name = change.name ?? current.name;
  if (mine === start.text && name === current.name) return undefined;
  const from = { text: start.text, rows: rowsLike(change.rows ? { text: mine, rows: change.rows } : current) };
  const same = change.keepsRows && from.rows.length === readText(mine, statuses, start.text).rows.length;
  const kept = same ? from.rows : change.rows;
  const to = { text: mine, rows: kept?.length ? kept : carryRows(from, mine, statuses) };
  const { text, rows, conflicts } = joined(from, to, current, statuses);
  refuseGrowth(limit, { base: start.text, mine, theirs: current.text, merged: text }, statuses);
  const version = { epoch, seq, hash: hashText(text), name, text, rows };
  const refusal = tooLarge(version, statuses);
  if (refusal) throw refusal;
  return { ...version, account, client: change.clientId, kind: change.kind, conflicts };
}
