import * as v from 'valibot';
import { storage } from '../../../domain/messages.ts';
import { parseAs } from '../../../domain/shape.ts';
import { Refused } from '../../errors/refused.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import { personal } from '../../quota/work.ts';
import { createCache } from '../../store/cache.ts';
import type { Tenant } from '../tenants.ts';
import { isIssueKey, issuePath } from '../tracker/issue.ts';
import type { Trackers } from '../tracker/trackers.ts';

/** The issue of a portal request. */
export interface RequestIssue {
  id: string;
  key: string;
}

/** Finds the issue of a portal request by its key. Rejects with `Refused` where there is none. */
export type Requests = (tenant: Tenant, account: string, key: string) => Promise<RequestIssue>;

const shape = v.object({ id: v.string(), key: v.string() });

/** The maximum number of cached keys: an issue that moves keeps its former ones. */
const MAX_CACHED_KEYS = 10_000;
/** Milliseconds for which the tracker is not asked again for an issue that it did not show. */
const HIDDEN = 60_000;

/** Reads as the app, once for each key, and once a minute where there is no issue. */
export function createRequests(trackerOf: Trackers): Requests {
  const known = createCache<RequestIssue>(MAX_CACHED_KEYS);
  const hidden = createCache<true>(MAX_CACHED_KEYS, HIDDEN);
  return async (tenant, account, key) => {
    const entry = JSON.stringify([tenant.id, tenant.epoch, key]);
    const kept = known.get(entry);
    if (kept) return kept;
    if (!isIssueKey(key) || hidden.has(entry)) throw new Refused('FORBIDDEN', storage.issueNotFound);
    const answer = await trackerOf(
      tenant,
      personal(account),
    )({ name: 'findIssue', method: 'GET', path: issuePath(key), query: { fields: 'summary' } });
    if (answer.status === 404) {
      hidden.set(entry, true);
      throw new Refused('FORBIDDEN', storage.issueNotFound);
    }
    if (answer.status !== 200) throw new TrackerRefused('findIssue', answer);
    const issue = parseAs(shape, answer.body);
    known.set(entry, issue);
    return issue;
  };
}
