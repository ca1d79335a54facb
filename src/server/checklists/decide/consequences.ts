import { type OpenItems, ruleKey } from '../../../domain/workflow/data.ts';
import { ruleCounts } from '../../../text/property/rules.ts';
import type { Sliced } from '../../../text/sliced.ts';
import type { Checklist } from '../../../text/types.ts';
import { hashText } from '../../common/hash.ts';
import type { Ids } from '../../common/ids.ts';
import { readingText, readText, registryBy } from '../../common/reading.ts';
import { noticesOf } from '../../events/notices.ts';
import { eventsBetween } from '../../events/row-events.ts';
import { callsFor } from '../../events/webhook-calls.ts';
import type { Revision } from '../revisions.ts';
import { assignersOf, indexOf } from './index-rows.ts';
import { currentOf } from './state.ts';
import type { DecideInput, Decision } from './types.ts';

/** The status of most finished items; its first use decides nothing. */
const DONE_KEY = ruleKey('Done');

/** Which sentences about open items are said at all. */
function openParts({ all, mandatory, sections, gates }: OpenItems): unknown {
  const open = (sentences: Record<string, string>) =>
    Object.entries(sentences).map(([name, text]) => [name, text !== '']);
  return [all !== '', mandatory !== '', open(sections), open(gates)];
}

/**
 * Hashes what workflow rules decide by: whether all items, all mandatory ones, which sections and which gates are done, and
 * which statuses besides "Done" are in use. Rules do not distinguish checklists with the same verdict, except by percent
 * and day.
 */
export function verdictOf(checklist: Checklist): string {
  const data = ruleCounts(checklist);
  const used = Object.keys(data.statuses).filter(name => name !== DONE_KEY && data.statuses[name] !== '');
  return hashText(JSON.stringify([data.total > 0, openParts(data), data.strict && openParts(data.strict), used]));
}

/** Background changes without events: they only write the text in another way, or take it over. */
const silent: readonly string[] = ['bringStatuses', 'inherited', 'erasePerson'];

/**
 * What follows from new revisions: the index of the newest text, its verdict, calls of webhooks, and notifications. The
 * first copies of an issue have no events: they were made before the database knew the issue.
 */
export function* consequencesOf(
  { issue, state, statuses: entries, project, now }: DecideInput,
  revisions: readonly Revision[],
  ids: Ids,
): Sliced<Omit<Decision, 'outcomes' | 'revisions'>> {
  const statuses = registryBy(entries);
  const before = currentOf(state);
  const newest = revisions.at(-1) ?? state.last;
  const isMoved = state.checklist !== null && project !== (state.checklist.project ?? undefined);
  const events: Pick<Decision, 'calls' | 'notices'> = { calls: [], notices: [] };
  if (!newest || (revisions.length === 0 && !isMoved)) return { newest: undefined, ...events };

  const checklist = yield* readingText(newest.text, statuses, before.text);
  const rowsOf = (text: string) => readText(text, statuses).rows;
  const assigners = state.checklist ? assignersOf(state.last, revisions, rowsOf) : undefined;
  const index = indexOf(checklist.rows, newest.rows, statuses, assigners);
  yield;
  let previous = before;
  for (const revision of state.checklist ? revisions : []) {
    const { account, kind, epoch, seq } = revision;
    const [was, is] = [previous, revision].map(({ text, rows }) => ({ rows: rowsOf(text), ids: rows }));
    previous = revision;
    if (silent.includes(kind) || !was || !is) continue;
    const rowEvents = eventsBetween(was, is);
    const change = { issue, project, account, kind, epoch, seq, events: rowEvents };
    events.calls.push(...callsFor(state.webhooks, change, new Date(now), ids.uuid));
    events.notices.push(...noticesOf(rowEvents, account));
  }
  yield;
  return { newest: { index, verdict: verdictOf(checklist) }, ...events };
}
