import { sql } from 'kysely';
import { isZone } from '../../../domain/automation/notifications.ts';
import { addonPermissions, permissionKey } from '../../../domain/permissions.ts';
import { anonymous } from '../../../domain/user.ts';
import { DIGEST_DELAY_MS } from '../../checklists/decide/row-events.ts';
import { TrackerRefused, TrackerUnavailable } from '../../errors/tracker.ts';
import type { Tenant, Tenants } from '../../platform/tenants.ts';
import type { Caller } from '../../platform/tokens.ts';
import { createNames } from '../../platform/tracker/names.ts';
import { sendNotification } from '../../platform/tracker/notify.ts';
import { siteName } from '../../platform/tracker/permissions.ts';
import type { Trackers } from '../../platform/tracker/trackers.ts';
import { digestKey, type Handlers, type Queue, RetryLater } from '../../queue/queue.ts';
import { background } from '../../quota/work.ts';
import { createRegistries } from '../../statuses/registries.ts';
import { createCache } from '../../store/cached.ts';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';
import type { TextWorkers } from '../../text-workers/pool.ts';
import { type DigestIssue, digestTask, type WaitingNotice, waitingWith } from './digest.ts';
import { digestText, namedAuthors } from './digest-text.ts';
import { findDue, localDay, usualZone } from './find-due.ts';
import {
  dropWaiting,
  loadPerson,
  loadWaiting,
  MAX_NOTICES,
  noteDigest,
  type PersonSettings,
  putZone,
  unsentAccounts,
} from './records.ts';

export interface Notifications {
  /** Stores the zone of a caller's browser. */
  seenZone(caller: Caller, zone: string): Promise<void>;
  jobs: Pick<Handlers, 'find-due' | 'send-digest'>;
  /** Enqueues a tenant's search for due items, and digests whose jobs were lost. */
  recover(tenant: string): Promise<void>;
}

export interface NotificationsOptions {
  store: Store;
  tenants: Tenants;
  queue: Queue;
  trackerOf: Trackers;
  /** Runs tasks over texts. */
  workers: TextWorkers;
  now?(): number;
}

/** `DIGEST_INTERVAL_MS` applies to each person. */
const SEARCH_INTERVAL_MS = 30 * 60_000;
const DIGEST_INTERVAL_MS = 60 * 60_000;
const MAX_CACHED_ZONES = 10_000;
/** A digest is sent through one of its issues. If the tracker does not send it, the next issue is tried. */
const MAX_TRIED_ISSUES = 3;

/** Permissions that the tracker requires of the recipient. */
const requiredOf = (tenant: Tenant): string[] => [
  'BROWSE_PROJECTS',
  ...(tenant.settings.view_permissions_enabled ? [siteName(tenant, permissionKey(addonPermissions.view))] : []),
];

/** Ends notices, which were sent or no longer hold; or makes them wait again. */
const setEnded = (tx: Tx, tenant: string, account: string, notices: readonly WaitingNotice[], isEnded: boolean) => {
  const keys = JSON.stringify(notices.map(({ issue, row, kind, due }) => ({ issue, row, kind, due })));
  return sql`update notification set sent = case when ${isEnded}::boolean then now() end
    from jsonb_to_recordset(${keys}::jsonb) as named(issue text, "row" text, kind text, due text)
    where tenant = ${tenant} and account = ${account} and (sent is null) = ${isEnded}::boolean
      and notification.issue = named.issue and notification."row" = named."row" and notification.kind = named.kind
      and notification.due = named.due`.execute(tx);
};

/** Whether a call that failed surely sent nothing. */
const isUnsent = (error: unknown): boolean =>
  error instanceof TrackerRefused || (error instanceof TrackerUnavailable && error.isUndone);

/** A digest to send. */
interface Digest {
  account: string;
  person: PersonSettings;
  /** All waiting notices, and those that hold, by issue. */
  waiting: readonly WaitingNotice[];
  issues: readonly DigestIssue[];
}

export function createNotifications(options: NotificationsOptions): Notifications {
  const { store, tenants, queue, trackerOf, workers, now = Date.now } = options;
  const registries = createRegistries(store);
  const namesOf = createNames();
  const zones = createCache<string>(MAX_CACHED_ZONES);

  /**
   * Sends a digest on the first of the issues that the tracker takes; resolves with whether it took one. It is stored as
   * sent before the call, since an error afterwards would send it twice; what surely was not sent waits again.
   */
  async function send(tenant: Tenant, { account, person, waiting, issues }: Digest): Promise<boolean> {
    const tracker = trackerOf(tenant, background('job'));
    const { id } = tenant;
    // One call for each digest: an issue that is tried next names those people only whose names are known by then.
    const names = await namesOf(id, tracker, issues.slice(0, 1).flatMap(namedAuthors));
    await store.tenant(id, async tx => {
      await setEnded(tx, id, account, waiting, true);
      await noteDigest(tx, id, account, new Date(now()));
    });
    /** Makes the notices of all issues but the first ones wait again. */
    const undo = (refused: number) => {
      const ids = new Set(issues.slice(refused).map(({ issue }) => issue));
      const remainingNotices = waiting.filter(({ issue }) => ids.has(issue));
      return store.tenant(id, async tx => {
        await setEnded(tx, id, account, remainingNotices, false);
        await noteDigest(tx, id, account, person.digestAt);
      });
    };
    for (const [place, first] of issues.slice(0, MAX_TRIED_ISSUES).entries()) {
      const content = digestText(tenant.url, first, issues.slice(place + 1), names);
      const notification = { account, permissions: requiredOf(tenant), ...content };
      try {
        if (await sendNotification(tracker, first.issue, notification)) return true;
      } catch (error) {
        if (isUnsent(error)) await undo(place);
        // One that may have been sent is not sent again.
        else if (error instanceof TrackerUnavailable) return true;
        throw error;
      }
    }
    await undo(MAX_TRIED_ISSUES);
    return false;
  }

  async function digest(tenant: Tenant, account: string): Promise<void> {
    const { id } = tenant;
    const { waiting, person, zone } = await store.tenant(id, async tx => {
      const settings = await loadPerson(tx, id, account);
      return {
        person: settings,
        zone: settings.zone ?? (await usualZone(tx, id)),
        waiting: await loadWaiting(tx, id, account),
      };
    });
    if (person.notify === 'OFF' || !tenant.licensed) {
      await store.tenant(id, tx => dropWaiting(tx, id, account));
      return;
    }
    const pause = person.digestAt ? person.digestAt.getTime() + DIGEST_INTERVAL_MS - now() : 0;
    if (waiting.length === 0) return;
    if (pause > 0) throw new RetryLater(pause);
    const { day: today } = localDay(now(), zone);
    const { listOf } = await registries(tenant);
    const recipient = { account, today, notify: person.notify };
    const { run } = workers.of({ tenant, account });
    const issues = await run(digestTask, { ...waitingWith(waiting, listOf), person: recipient });
    const isSent = issues.length > 0 && (await send(tenant, { account, person, waiting, issues }));
    if (issues.length === 0) await store.tenant(id, tx => setEnded(tx, id, account, waiting, true));
    else if (!isSent && issues.length > MAX_TRIED_ISSUES) throw new RetryLater(DIGEST_DELAY_MS);
    // There may be more.
    if (waiting.length >= MAX_NOTICES) throw new RetryLater(isSent ? DIGEST_INTERVAL_MS : 0);
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
        const storedTenant = await tenants.find(tenant);
        if (!storedTenant?.licensed) return;
        await store.tenant(tenant, async tx => {
          for (const account of await findDue(tx, tenant, now())) {
            const job = queue.enqueue('send-digest', { tenant, account }, { after: 0, key: digestKey(account) });
            await tx.executeQuery(job);
          }
        });
        queue.wake();
      },
      async 'send-digest'({ tenant: id, account }) {
        const tenant = await tenants.find(id);
        if (tenant) await digest(tenant, account);
      },
    },
    async recover(tenant) {
      await queue.restore('find-due', { tenant }, { after: SEARCH_INTERVAL_MS, key: 'find-due' });
      for (const account of await store.tenant(tenant, tx => unsentAccounts(tx, tenant))) {
        await queue.restore('send-digest', { tenant, account }, { after: 0, key: digestKey(account) });
      }
    },
  };
}
