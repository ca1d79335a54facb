import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isZone } from '../../domain/automation/notifications.ts';
import { addonPermissions, permissionKey } from '../../domain/permissions.ts';
import { anonymous } from '../../domain/user.ts';
import { TrackerUnavailable } from '../errors/tracker.ts';
import { digestKey } from '../events/notices.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import { sendNotification } from '../platform/tracker/notify.ts';
import { siteName } from '../platform/tracker/permissions.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import { type Handlers, type Queue, RetryLater } from '../queue/queue.ts';
import { background } from '../quota/work.ts';
import { createRegistries } from '../statuses/registries.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import { type DigestIssue, digestOf, loadWaiting, type WaitingNotice } from './digest.ts';
import { digestText } from './digest-text.ts';
import { findDue, localDay } from './find-due.ts';
import { dropWaiting, loadPerson, noteDigest, pruneNotices, putZone } from './records.ts';

export interface Notifications {
  /** Stores the zone of a caller's browser. */
  seenZone(caller: Caller, zone: string): Promise<void>;
  jobs: Pick<Handlers, 'find-due' | 'send-digest'>;
  /** Enqueues the search for due items of all tenants. */
  recover(): Promise<void>;
  /** Deletes old notices of all tenants. */
  prune(): Promise<void>;
}

export interface NotificationsOptions {
  store: Store;
  tenants: Tenants;
  queue: Queue;
  trackerOf: Trackers;
  onError(error: unknown): void;
  now?(): number;
}

/** Milliseconds between two searches for due items, and between two digests of a person. */
const SEARCH = 30 * 60_000;
const BETWEEN = 60 * 60_000;
/** Most cached zones. */
const MOST = 10_000;
/** Most issues that are tried as the one of a digest. */
const TRIES = 3;

/** Permissions that the tracker requires of the recipient. */
const requiredOf = (tenant: Tenant): string[] => [
  'BROWSE_PROJECTS',
  ...(tenant.settings.view_permissions_enabled ? [siteName(tenant, permissionKey(addonPermissions.view))] : []),
];

/** Ends these waiting notices: they were sent, or no longer hold. */
const endWaiting = (tx: Tx, tenant: string, account: string, ended: readonly WaitingNotice[]) => {
  const keys = JSON.stringify(ended.map(({ issue, row, kind, due }) => ({ issue, row, kind, due })));
  return sql`update notification set sent = now()
    from jsonb_to_recordset(${keys}::jsonb) as ended(issue text, "row" text, kind text, due text)
    where tenant = ${tenant} and account = ${account} and sent is null and notification.issue = ended.issue
      and notification."row" = ended."row" and notification.kind = ended.kind and notification.due = ended.due`.execute(
    tx,
  );
};

export function createNotifications(options: NotificationsOptions): Notifications {
  const { store, tenants, queue, trackerOf, onError, now = Date.now } = options;
  const registries = createRegistries(store);
  const zones = new LRUCache<string, string>({ max: MOST });

  /** Sends a digest on the first of the issues that the tracker takes. */
  async function send(tenant: Tenant, account: string, issues: readonly DigestIssue[]): Promise<void> {
    const tracker = trackerOf(tenant, background('job'));
    for (const [place, first] of issues.slice(0, TRIES).entries()) {
      const content = digestText(tenant.url, first, issues.slice(place + 1));
      const notification = { account, permissions: requiredOf(tenant), ...content };
      try {
        if (await sendNotification(tracker, first.issue, notification)) return;
      } catch (error) {
        // One that may have been sent is not sent again.
        if (error instanceof TrackerUnavailable && !error.isUndone) return;
        throw error;
      }
    }
  }

  async function digest(tenant: Tenant, account: string): Promise<void> {
    const { id } = tenant;
    const { waiting, person } = await store.tenant(id, async tx => ({
      person: await loadPerson(tx, id, account),
      waiting: await loadWaiting(tx, id, account),
    }));
    if (person.notify === 'OFF' || !tenant.licensed) {
      await store.tenant(id, tx => dropWaiting(tx, id, account));
      return;
    }
    const pause = person.digestAt ? person.digestAt.getTime() + BETWEEN - now() : 0;
    if (waiting.length > 0 && pause > 0) throw new RetryLater(pause);
    const { day: today } = localDay(now(), person.zone ?? 'UTC');
    const issues = digestOf(waiting, (await registries(tenant)).of, { account, today });
    if (issues.length > 0) await send(tenant, account, issues);
    await store.tenant(id, async tx => {
      await endWaiting(tx, id, account, waiting);
      if (issues.length > 0) await noteDigest(tx, id, account, new Date(now()));
    });
  }

  return {
    async seenZone({ tenant: { id }, account }, zone) {
      const key = JSON.stringify([id, account]);
      if (account === anonymous.id || zones.get(key) === zone || !isZone(zone)) return;
      zones.set(key, zone);
      await store.batch(id, [putZone({ tenant: id, account, zone })]);
    },
    jobs: {
      async 'find-due'({ tenant }) {
        const found = await tenants.find(tenant);
        if (!found?.licensed) return;
        for (const account of await store.tenant(tenant, tx => findDue(tx, tenant, now()))) {
          await queue.add('send-digest', { tenant, account }, { key: digestKey(account) });
        }
      },
      async 'send-digest'({ tenant: id, account }) {
        const tenant = await tenants.find(id);
        if (tenant) await digest(tenant, account);
      },
    },
    async recover() {
      for (const tenant of await store.tenants()) {
        await queue.restore('find-due', { tenant }, { after: SEARCH, key: 'find-due' }).catch(onError);
      }
    },
    async prune() {
      for (const tenant of await store.tenants())
        await store.tenant(tenant, tx => pruneNotices(tx, tenant)).catch(onError);
    },
  };
}
