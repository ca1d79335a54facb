import type { Tenant, Tenants } from '../connect/tenants.ts';
import type { Caller } from '../connect/tokens.ts';
import type { Jobs } from '../jobs/queue.ts';
import { background, type Cause } from '../quota/work.ts';
import type { Store } from '../store/store.ts';
import { isIssueId } from '../tracker/issue.ts';
import { noteSighting } from './actor.ts';
import { forgetCalled } from './assigned/records.ts';
import { lookAtIssue } from './look.ts';
import { queueField, queueLook } from './mirror.ts';
import { prune, type Retention } from './retention.ts';
import { isOurs } from './revisions.ts';
import type { Site } from './site.ts';
import { bringField } from './write-field.ts';

type Handler<Name extends keyof Jobs> = (data: Jobs[Name]) => Promise<void>;

/** What is done for checklists while nobody waits for it. */
export interface Background {
  /** The work behind the jobs. Each can be repeated, and rejects when it is to be tried again. */
  jobs: { [Name in 'write-field' | 'look-at-issue']: Handler<Name> };
  /** Somebody did something to an issue, or so the tracker says. */
  noticed(caller: Caller, issueId: string): Promise<void>;
  /** Takes up what an earlier process left open, or what the queue lost, tenant by tenant. */
  recover(): Promise<void>;
  /** Drops history that is older than it is kept. */
  prune(): Promise<void>;
}

export interface BackgroundOptions {
  store: Store;
  tenants: Tenants;
  siteOf(tenant: Tenant, cause: Cause): Site;
  retention: Retention;
  onError(error: unknown): void;
}

export function createBackground({ store, tenants, siteOf, retention, onError }: BackgroundOptions): Background {
  /** For a tenant that is gone there is nothing to do. */
  async function inSite(tenantId: string, cause: Cause, work: (site: Site) => Promise<void>): Promise<void> {
    const tenant = await tenants.find(tenantId);
    if (tenant) await work(siteOf(tenant, cause));
  }

  /** Tenant by tenant; what fails for one does not stop the others. */
  async function everywhere(work: (tenant: string) => Promise<unknown>): Promise<void> {
    for (const id of await store.tenants()) await work(id).catch(onError);
  }

  async function recoverSite(site: Site): Promise<void> {
    const open = await store.tenant(site.tenant.id, async tx => ({
      intents: await tx
        .selectFrom('intent')
        .select('issue')
        .where('tenant', '=', site.tenant.id)
        .where('given_up', '=', false)
        .execute(),
      fields: await tx
        .selectFrom('mirror')
        .select('issue')
        .where('tenant', '=', site.tenant.id)
        .where('behind', '=', true)
        .execute(),
    }));
    for (const { issue } of open.fields) queueField(site, issue);
    for (const { issue } of open.intents) await lookAtIssue(site, issue).catch(onError);
  }

  return {
    jobs: {
      'write-field': ({ tenant, issue }) => inSite(tenant, background('field'), site => bringField(site, issue)),
      'look-at-issue': ({ tenant, issue }) => inSite(tenant, background('event'), site => lookAtIssue(site, issue)),
    },
    async noticed({ tenant, account }, issue) {
      if (!isIssueId(issue)) return;
      const place = { tenant: tenant.id, issue };
      const ours = await store.tenant(tenant.id, async tx => {
        const known = await isOurs(tx, place);
        if (!known) return false;
        await noteSighting(tx, place, account);
        await forgetCalled(tx, place);
        return true;
      });
      if (ours) queueLook(siteOf(tenant, background('event')), issue);
    },
    recover: () => everywhere(id => inSite(id, background('sweep'), recoverSite)),
    // Also where the add-on was uninstalled.
    prune: () => everywhere(id => prune(store, id, retention)),
  };
}
