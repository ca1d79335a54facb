import { edition } from '../../domain/edition.ts';
import { failures } from '../../domain/messages.ts';
import type { Tenant, Tenants } from '../connect/tenants.ts';
import type { Caller } from '../connect/tokens.ts';
import type { Metrics } from '../http/metrics.ts';
import { Refused } from '../refused.ts';
import type { Store } from '../store/store.ts';
import { createTracker, type TrackerOptions } from '../tracker/client.ts';
import { readIssue } from '../tracker/issue.ts';
import { createAccess, flagsFor } from './access.ts';
import { changeOf } from './apply.ts';
import { changeChecklist } from './change.ts';
import { createLeases } from './lease.ts';
import { notOvertaken } from './overtaken.ts';
import { asRefusal } from './refusal.ts';
import { latest } from './revisions.ts';
import { settleAll } from './settle.ts';
import { createOwnFields, type Site } from './site.ts';
import { storedChecklist } from './stored.ts';
import type { ChangeRequest, Checklists, ChecklistView } from './types.ts';

export interface ChecklistsOptions {
  store: Store;
  tenants: Tenants;
  metrics: Metrics;
  /** Told of what went wrong and did not stop the work. */
  onError(error: unknown): void;
  itemLimit?: number;
  /** For calls to trackers. */
  fetch?: TrackerOptions['fetch'];
  sleep?: TrackerOptions['sleep'];
}

export interface ChecklistService {
  /** The checklists of the caller's tenant, with the caller's permissions. */
  of(caller: Caller): Checklists;
  /** Settles what an earlier process left open, tenant by tenant. */
  recover(): Promise<void>;
}

/** Ids that clients make up: printable, and not for storing things in. */
const clientId = /^[\x21-\x7e]{1,100}$/;

export function createChecklists(options: ChecklistsOptions): ChecklistService {
  const { store, tenants, metrics, onError, fetch, sleep, itemLimit = edition.limits.itemsPerChecklist } = options;
  const leases = createLeases(store, onError);
  const ownFields = createOwnFields(onError);
  const access = createAccess();

  function siteOf(tenant: Tenant): Site {
    const tracker = createTracker(tenant, {
      onCall: (call, status) => metrics.calls.inc({ call, status }),
      ...(fetch && { fetch }),
      ...(sleep && { sleep }),
    });
    return { tenant, tracker, store, leases, itemLimit, ownField: () => ownFields(tenant, tracker) };
  }

  async function read(caller: Caller, issueId: string): Promise<ChecklistView> {
    const site = siteOf(caller.tenant);
    const { tenant, tracker, ownField } = site;
    await access(caller, tracker, issueId, 'canViewChecklist');
    const [issue, field, last] = await Promise.all([
      readIssue(tracker, issueId),
      ownField(),
      store.tenant(tenant.id, tx => latest(tx, { tenant: tenant.id, issue: issueId })),
    ]);
    return notOvertaken(site, await storedChecklist(issueId, issue, field, last), last);
  }

  async function change(caller: Caller, request: ChangeRequest) {
    const site = siteOf(caller.tenant);
    if (!clientId.test(request.clientId)) throw new Refused('UNKNOWN', failures.unknown, 'clientId');
    for (const flag of flagsFor(request.edit)) await access(caller, site.tracker, request.issueId, flag);
    return changeChecklist(site, caller.account, await changeOf(site, request));
  }

  /** Runs it, and turns what was to be expected into refusals. */
  async function refusing<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw asRefusal(error);
    }
  }

  return {
    of: caller => ({
      allowed: async (issueId, flag) => {
        try {
          await access(caller, siteOf(caller.tenant).tracker, issueId, flag);
          return true;
        } catch (error) {
          if (error instanceof Refused) return false;
          throw asRefusal(error);
        }
      },
      read: issueId => refusing(read(caller, issueId)),
      async change(request) {
        const count = (outcome: string) => metrics.changes.inc({ kind: request.edit.kind, outcome });
        try {
          const outcome = await refusing(change(caller, request));
          count('ok');
          return outcome;
        } catch (error) {
          count(error instanceof Refused ? error.code : 'FAILED');
          throw error;
        }
      },
    }),
    async recover() {
      for (const id of await store.tenants()) {
        try {
          const tenant = await tenants.find(id);
          if (tenant) await settleAll(siteOf(tenant));
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}
