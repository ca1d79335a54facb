import { randomUUID } from 'node:crypto';
import { ruleAccount } from '../../domain/person.ts';
import { followJob } from '../checklists/commit/conversions.ts';
import type { TenantIssue } from '../checklists/read/revisions.ts';
import type { Site } from '../checklists/service/site.ts';
import { NEWEST_BASE } from '../checklists/service/types.ts';
import type { IssueEvent } from '../platform/issue-events.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import { readDone } from '../platform/tracker/create.ts';
import { isIssueId } from '../platform/tracker/issue.ts';
import { eachOf, eachSite, Incomplete } from '../queue/each.ts';
import type { Handlers, Queue } from '../queue/queue.ts';
import { background, type Cause } from '../quota/work.ts';
import { publish } from '../store/live-events.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';

/*
 * Items that follow the issue that they were converted to: completed with it, and reopened with it. The state comes with
 * the tracker's events, so that it costs no call; the item is changed by a job, once for each new state.
 */

export interface Following {
  /** Handles an event of an issue: a changed status is published to open panels. */
  noticed(caller: Caller, issueId: string, event: IssueEvent): Promise<void>;
  jobs: Pick<Handlers, 'follow-issues'>;
  /** Enqueues lost jobs of all tenants. */
  recover(): Promise<void>;
}

export interface FollowingOptions {
  store: Store;
  tenants: Tenants;
  queue: Queue;
  siteOf(tenant: Tenant, cause: Cause): Site;
  onError(error: unknown): void;
}

/** An issue that an item follows. */
interface Followed {
  made: string;
  key: string;
  /** The item's persistent id. */
  row: string | null;
  /** Whether the issue is done; `null` if that has to be read. */
  reported: boolean | null;
  reported_at: Date | null;
}

const followed = (tx: Tx, tenant: string) =>
  tx.selectFrom('conversion').where('tenant', '=', tenant).where('follows', '=', true);

/** The issues of a checklist whose state its items do not have yet. */
async function pending(tx: Tx, { tenant, issue }: TenantIssue): Promise<Followed[]> {
  const rows = await followed(tx, tenant)
    .select(['made', 'key', 'row', 'reported', 'reported_at'])
    .where('issue', '=', issue)
    .where('reported', 'is distinct from', eb => eb.ref('applied'))
    .execute();
  return rows.flatMap(({ made, key, ...about }) => (made === null || key === null ? [] : { made, key, ...about }));
}

/**
 * The checklists with items that follow an issue, after noting its state. Late and repeated events, which are older than
 * the last one, change nothing.
 */
async function note(tx: Tx, { tenant, issue }: TenantIssue, state: IssueEvent['state']): Promise<string[]> {
  const update = tx
    .updateTable('conversion')
    .set(state ? { reported: state.done, reported_at: state.at } : { reported: null })
    .where('tenant', '=', tenant)
    .where('made', '=', issue)
    .where('follows', '=', true);
  const newer = state
    ? update.where(({ eb, or }) => or([eb('reported_at', 'is', null), eb('reported_at', '<', state.at)]))
    : update;
  const rows = await newer.returning(['issue', 'reported', 'applied']).execute();
  return [...new Set(rows.filter(({ reported, applied }) => reported !== applied).map(row => row.issue))];
}

/** Sets the item by its issue. */
async function apply(
  site: Site,
  issue: string,
  { made, key, row, reported_at }: Followed,
  done: boolean,
): Promise<void> {
  const clientId = `follow:${made}:${reported_at?.getTime() ?? randomUUID()}`;
  const edit = { kind: 'followIssue', key, row, done } as const;
  const proposal = { account: ruleAccount(''), clientId, base: NEWEST_BASE, edit, maxItems: site.itemLimit };
  await site.changes({ site, issue, proposal });
}

export function createFollowing({ store, tenants, queue, siteOf, onError }: FollowingOptions): Following {
  return {
    async noticed({ tenant: { id: tenant } }, issue, { kind, changes, state }) {
      if (!isIssueId(issue) || kind !== 'updated') return;
      if (changes && !changes.some(({ id }) => id.toLowerCase() === 'status')) return;
      const concerned = await store.tenant(tenant, async tx => {
        await publish(tx, tenant, { kind: 'status', issue });
        return note(tx, { tenant, issue }, state);
      });
      for (const each of concerned) await queue.add(...followJob({ tenant, issue: each }));
    },
    jobs: {
      async 'follow-issues'(place) {
        const tenant = await tenants.find(place.tenant);
        if (!tenant?.licensed) return;
        const site = siteOf(tenant, background('event'));
        const links = await store.tenant(tenant.id, tx => pending(tx, place));
        const follow = async (link: Followed) => {
          // An issue that is gone or hidden leaves the item as it is.
          const done = link.reported ?? (await readDone(site.tracker, link.made));
          if (done !== undefined) await apply(site, place.issue, link, done);
          await store.tenant(tenant.id, tx =>
            tx
              .updateTable('conversion')
              .set(done === undefined ? { reported: eb => eb.ref('applied') } : { reported: done, applied: done })
              .where('tenant', '=', place.tenant)
              .where('issue', '=', place.issue)
              .where('made', '=', link.made)
              .where('reported', 'is not distinct from', link.reported)
              .where('reported_at', 'is not distinct from', link.reported_at)
              .execute(),
          );
        };
        const result = await eachOf(links, ({ key }) => key, follow);
        if (result.failures.length > 0) throw new Incomplete(`items that follow issues in ${place.issue}`, result);
      },
    },
    async recover() {
      await eachSite('search for issues that items follow', await store.tenants(), onError, async tenant => {
        const issues = await store.tenant(tenant, tx =>
          followed(tx, tenant)
            .select('issue')
            .distinct()
            .where('reported', 'is distinct from', eb => eb.ref('applied'))
            .execute(),
        );
        for (const { issue } of issues) await queue.restore(...followJob({ tenant, issue }));
      });
    },
  };
}
