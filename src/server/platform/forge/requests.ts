import * as v from 'valibot';
import { storage } from '../../../domain/messages.ts';
import { parseAs } from '../../../domain/shape.ts';
import { Refused } from '../../errors/refused.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import { personalCause } from '../../quota/work.ts';
import { cached } from '../../store/cached.ts';
import type { Tenant } from '../tenants.ts';
import { isIssueKey, issuePath } from '../tracker/issue.ts';
import type { Trackers } from '../tracker/trackers.ts';

/** The issue of a portal request. */
export interface RequestIssue {
  id: string;
  key: string;
}

/** Finds the issue of a portal request by its key. Rejects with `Refused` if there is none. */
export type Requests = (tenant: Tenant, account: string, key: string) => Promise<RequestIssue>;

const shape = v.object({ id: v.string(), key: v.string() });

/** The cache also has the former keys of issues that moved. */
const MAX_CACHED_KEYS = 10_000;
/** The tracker is not asked again in this time for an issue that it did not show. */
const HIDDEN_ISSUE_MS = 60_000;

/** Fetches the issue as the app and caches it by key. If the issue doesn't exist, asks again after a minute. */
export function createRequests(trackerOf: Trackers): Requests {
  const issues = cached<RequestIssue | undefined>({
    max: MAX_CACHED_KEYS,
    ttl: issue => (issue ? Number.POSITIVE_INFINITY : HIDDEN_ISSUE_MS),
  });

  async function read(tenant: Tenant, account: string, key: string): Promise<RequestIssue | undefined> {
    const answer = await trackerOf(
      tenant,
      personalCause(account),
    )({ name: 'findIssue', method: 'GET', path: issuePath(key), query: { fields: 'summary' } });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw new TrackerRefused('findIssue', answer);
    return parseAs(shape, answer.body);
  }

  return async (tenant, account, key) => {
    const entry = JSON.stringify([tenant.id, tenant.epoch, key]);
    const issue = isIssueKey(key) ? await issues.get(entry, () => read(tenant, account, key)) : undefined;
    if (!issue) throw new Refused('FORBIDDEN', storage.issueNotFound);
    return issue;
  };
}
