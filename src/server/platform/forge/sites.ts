import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { addonPermissions, permissionKey } from '../../../domain/permissions.ts';
import { TokenRefused, TrackerDeferred, TrackerUnavailable } from '../../errors/tracker.ts';
import { background } from '../../quota/work.ts';
import { publish } from '../../store/live-events.ts';
import type { Store } from '../../store/store.ts';
import type { ForgeSiteTable, Tx } from '../../store/tables.ts';
import type { Vault } from '../../store/vault.ts';
import type { Tenant, Tenants } from '../tenants.ts';
import type { Tracker } from '../tracker/client.ts';
import { type Called, calledWith } from '../tracker/endpoint.ts';
import type { Trackers } from '../tracker/trackers.ts';
import { readClientKey } from './client-key.ts';
import type { Invocation } from './invocations.ts';
import { betterThan, type LastingToken } from './token-life.ts';

const shape = z.object({ permissions: z.record(z.string(), z.unknown()) });

/**
 * The site's keys of our permissions, by module: those of Connect where the app was one there, else those that Forge makes
 * (`ari:cloud:ecosystem::extension/{app}/{environment}/static/{module}`). `undefined` while the site does not know them.
 */
export async function readPermissionNames(
  tracker: Tracker,
  app: { appId: string; environmentId: string | undefined },
): Promise<Record<string, string> | undefined> {
  const { body } = await tracker({ name: 'readPermissions', method: 'GET', path: '/rest/api/3/permissions' });
  const keys = Object.keys(shape.safeParse(body).data?.permissions ?? {});
  // A site may have the app of two environments.
  const own = `ari:cloud:ecosystem::extension/${app.appId.split('/').at(-1)}/${app.environmentId ?? ''}`;
  const named = Object.values(addonPermissions).flatMap(module => {
    const connect = permissionKey(module);
    const key = keys.find(each => each === connect || (each.startsWith(own) && each.endsWith(`/static/${module}`)));
    return key === undefined ? [] : [[module, key] as const];
  });
  return named.length === Object.keys(addonPermissions).length ? Object.fromEntries(named) : undefined;
}

export interface SitesOptions {
  store: Store;
  vault: Vault;
  tenants: Tenants;
  trackerOf: Trackers;
  appId: string;
  /** Whether a site may have had the Connect add-on of the same key before, whose tenant it goes on as. */
  past: 'connect' | 'none';
  /** A site has installed us, for the first time or again. */
  installed(tenant: string): Promise<void>;
  /** A site has a good token again: what waited for one may go on. */
  renewed(tenant: string): Promise<void>;
  onError(error: unknown): void;
  now?(): number;
}

/** Sites on Forge, by their cloud ids, and the tenants that they are. */
export interface Sites {
  /**
   * The tenant of a site that called as one that has the app installed: it is from now on. A new site is the tenant that it
   * was under Connect, if any. `undefined` where the call does not say enough of a new one. Rejects with
   * `TrackerUnavailable` where it cannot be told now which tenant it is.
   */
  enter(invocation: Invocation, token: string | undefined): Promise<Tenant | undefined>;
  /** The tenant of a site that has the app installed, by a call that may come late. */
  known(invocation: Invocation, token: string | undefined): Promise<Tenant | undefined>;
  /** The tenant of a site by its cloud id. */
  find(cloudId: string): Promise<Tenant | undefined>;
  /** The site is about to uninstall the app. A Connect app there goes on. */
  leave(invocation: Invocation): Promise<void>;
  /** Finds out what the site calls our permissions, unless that is known. */
  learn(tenant: Tenant, invocation: Invocation): Promise<void>;
  /** Switches off those that have been silent for a day, and whose gateway refuses us. */
  dropSilent(): Promise<void>;
  /** Sites without a token that is good for another half hour. */
  countEnding(): Promise<number>;
}

type Row = Selectable<ForgeSiteTable>;

/** Milliseconds to which it is kept when a site called last, and after which one that calls every hour is silent. */
const SEEN = 10 * 60_000;
const SILENT = 24 * 3_600_000;
/** Milliseconds after the start in which each site calls: the trigger comes hourly. */
const FIRST_CALLS = 2 * 3_600_000;
/** Most sites whose tenants are remembered. */
const MOST = 10_000;
/** Milliseconds before a token's end from which on operators should know. */
const ENDING = 30 * 60_000;

export function createSites(options: SitesOptions): Sites {
  const { store, vault, tenants, trackerOf, appId, past, installed, renewed, onError, now = Date.now } = options;
  const begun = now();

  /** Tenants by the cloud ids of their sites. */
  const tenantIds = new LRUCache<string, string>({ max: MOST });

  async function rowOf(cloudId: string): Promise<Row | undefined> {
    const id =
      tenantIds.get(cloudId) ??
      (
        await store.sweep(tx => tx.selectFrom('forge_site').select('tenant').where('cloud_id', '=', cloudId).execute())
      )[0]?.tenant;
    if (id === undefined) return undefined;
    const row = await store.tenant(id, tx =>
      tx
        .selectFrom('forge_site')
        .selectAll()
        .where('tenant', '=', id)
        .where('cloud_id', '=', cloudId)
        .executeTakeFirst(),
    );
    if (row) tenantIds.set(cloudId, id);
    else tenantIds.delete(cloudId);
    return row;
  }

  const tokenIn = ({ tenant, token, token_until: until }: Row): LastingToken | undefined =>
    token && until ? { value: vault.open(tenant, token), until: until.getTime() } : undefined;

  /** Which tenant a new site is. */
  async function tenantOf(invocation: Invocation, token: string | undefined): Promise<string> {
    const { installation, cloudId, siteUrl = '' } = invocation;
    if (past === 'none') return cloudId;
    const [named, atSameAddress] = await store.sweep(async tx => {
      const ids = tx.selectFrom('tenant').select('tenant').orderBy('tenant');
      return [
        await ids.where('installation', '=', installation).executeTakeFirst(),
        await ids
          .where('url', '=', siteUrl)
          .where('enabled', '=', true)
          .where('secret', 'is not', null)
          .executeTakeFirst(),
      ] as const;
    });
    if (named) return named.tenant;
    if (token === undefined) throw new TrackerDeferred('readClientKey: no token');
    const tracker = trackerOf(calledWith(cloudId, invocation, token), background('event'));
    const found = await readClientKey(tracker);
    if (found === 'none') return cloudId;
    if (found !== 'refused') return found.key;
    // Its data must not be left behind: most likely this is that tenant, and we shall be told.
    if (atSameAddress) throw new TrackerUnavailable('readClientKey: refused');
    return cloudId;
  }

  /** Keeps what a call tells. Gives whether the site was there, in this installation of its tenant. */
  async function put(tx: Tx, id: string, invocation: Invocation, token: LastingToken | undefined): Promise<boolean> {
    const { cloudId, installation, gateway, siteUrl, licensed } = invocation;
    const epoch = randomUUID();
    if (siteUrl !== undefined) {
      await tx
        .insertInto('tenant')
        .values({ tenant: id, url: siteUrl, secret: null, epoch, enabled: true })
        .onConflict(conflict => conflict.doNothing())
        .execute();
    }
    const tenant = await tx
      .selectFrom('tenant')
      .select(['enabled', 'secret'])
      .where('tenant', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const site = await tx
      .selectFrom('forge_site')
      .select(['cloud_id', 'installation', 'licensed', 'enabled'])
      .where('tenant', '=', id)
      .executeTakeFirst();
    // The id of a site never changes: a copy of the site must not take its tenant over.
    if (site && site.cloud_id !== cloudId) throw new TrackerUnavailable("The tenant is another site's.");
    // Sessions and numbers of an installation that is gone are worth nothing; Connect's installation is not gone.
    const stays =
      (tenant.enabled && tenant.secret !== null) || (site ? site.installation === installation : tenant.enabled);
    await tx
      .updateTable('tenant')
      .set({
        enabled: true,
        ...(siteUrl !== undefined && tenant.secret === null && { url: siteUrl }),
        ...(!stays && { epoch }),
      })
      .where('tenant', '=', id)
      .execute();
    const values = {
      ...{ installation, gateway, enabled: true, seen: new Date(now()) },
      licensed: licensed ?? site?.licensed ?? true,
      ...(token && { token: vault.seal(id, token.value), token_until: new Date(token.until) }),
    };
    await tx
      .insertInto('forge_site')
      .values({ tenant: id, cloud_id: cloudId, token: null, token_until: null, ...values })
      .onConflict(conflict => conflict.column('tenant').doUpdateSet(values))
      .execute();
    if (!stays) await publish(tx, id, { kind: 'uninstalled' });
    if (!site?.enabled || site.licensed !== values.licensed) await publish(tx, id, { kind: 'settings' });
    return stays && site !== undefined;
  }

  /** Keeps what a call tells, where that is anything new. */
  async function note(id: string, row: Row | undefined, invocation: Invocation, came: string | undefined) {
    const before = row?.enabled && row.installation === invocation.installation ? tokenIn(row) : undefined;
    // What comes beside a frame's call is its visitor's word: the good token that is there stays.
    const isGood = before !== undefined && before.until > now();
    const token = invocation.isFrame && isGood ? undefined : betterThan(before, came, now());
    const isKnown =
      row?.enabled &&
      row.installation === invocation.installation &&
      row.gateway === invocation.gateway &&
      row.seen.getTime() + SEEN > now() &&
      (invocation.licensed ?? row.licensed) === row.licensed;
    if (isKnown && !token) return;
    const asBefore = await tenants.change(id, tx => put(tx, id, invocation, token));
    // It is installed, and has its token, whatever becomes of what comes after.
    if (!asBefore) await installed(id).catch(onError);
    // A visitor who signs in does not wait for other people's work.
    if (token && !isGood) void renewed(id).catch(onError);
  }

  async function switchOff({ tenant: id }: Row): Promise<void> {
    await tenants.change(id, async tx => {
      await tx
        .updateTable('forge_site')
        .set({ enabled: false, token: null, token_until: null })
        .where('tenant', '=', id)
        .execute();
      await tx.deleteFrom('forge_asker').where('tenant', '=', id).execute();
      const tenant = await tx
        .updateTable('tenant')
        .set({ enabled: sql<boolean>`secret is not null` })
        .where('tenant', '=', id)
        .returning('enabled')
        .executeTakeFirst();
      await publish(tx, id, { kind: tenant?.enabled ? 'settings' : 'uninstalled' });
    });
  }

  /** Whether the gateway says that the app is not there any more, by the last token. */
  async function isGone(row: Row): Promise<boolean> {
    const token = tokenIn(row);
    // It was refused before its end.
    if (!token) return true;
    const { tenant, cloud_id: cloudId, gateway } = row;
    const tracker = trackerOf(calledWith(tenant, { cloudId, gateway }, token.value), background('sweep'));
    try {
      const { status } = await tracker({ name: 'readMyself', method: 'GET', path: '/rest/api/2/myself' });
      return status === 401 || status === 403;
    } catch (error) {
      if (error instanceof TokenRefused) return true;
      if (error instanceof TrackerUnavailable) return false;
      throw error;
    }
  }

  return {
    async enter(invocation, token) {
      const row = await rowOf(invocation.cloudId);
      const id = row?.tenant ?? (await tenantOf(invocation, token));
      // Where a frame was never opened the address is known from Connect, or not at all.
      if (!row && invocation.siteUrl === undefined) {
        const [tenant] = await store.tenant(id, tx =>
          tx.selectFrom('tenant').select('tenant').where('tenant', '=', id).execute(),
        );
        if (!tenant) return undefined;
      }
      await note(id, row, invocation, token);
      return tenants.find(id);
    },
    async known(invocation, token) {
      const row = await rowOf(invocation.cloudId);
      if (!row?.enabled || row.installation !== invocation.installation) return undefined;
      await note(row.tenant, row, invocation, token);
      return tenants.find(row.tenant);
    },
    async find(cloudId) {
      const row = await rowOf(cloudId);
      return row && tenants.find(row.tenant);
    },
    async leave(invocation) {
      const row = await rowOf(invocation.cloudId);
      if (row?.enabled && row.installation === invocation.installation) await switchOff(row);
    },
    async learn(tenant, { environmentId }) {
      const { id, forge } = tenant;
      if (!forge || forge.permissions) return;
      const names = await readPermissionNames(trackerOf(tenant, background('event')), { appId, environmentId });
      if (!names) return;
      await tenants.change(id, async tx => {
        await tx
          .updateTable('forge_site')
          .set({ permissions: JSON.stringify(names) })
          .where('tenant', '=', id)
          .execute();
        await publish(tx, id, { kind: 'settings' });
      });
    },
    async dropSilent() {
      // After a long stop of this server every site has been silent: they have their time to call.
      if (now() - begun < FIRST_CALLS) return;
      const silent = await store.sweep(tx =>
        tx
          .selectFrom('forge_site')
          .selectAll()
          .where('enabled', '=', true)
          .where('seen', '<', new Date(now() - SILENT))
          .execute(),
      );
      for (const row of silent) {
        // What fails for one site does not stop the others.
        await isGone(row).then(gone => (gone ? switchOff(row) : undefined), onError);
      }
    },
    async countEnding() {
      const { count } = await store.sweep(tx =>
        tx
          .selectFrom('forge_site')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('enabled', '=', true)
          .where(({ or, eb }) => or([eb('token_until', 'is', null), eb('token_until', '<', new Date(now() + ENDING))]))
          .executeTakeFirstOrThrow(),
      );
      return Number(count);
    },
  };
}

/** Forgets the app's token of a site that the gateway has refused. */
export async function dropAppToken(
  { tenants, vault }: Pick<SitesOptions, 'tenants' | 'vault'>,
  { id }: Called,
  token: string,
): Promise<void> {
  await tenants.change(id, async tx => {
    const row = await tx
      .selectFrom('forge_site')
      .select('token')
      .where('tenant', '=', id)
      .forUpdate()
      .executeTakeFirst();
    // Another one may have come meanwhile.
    if (!row?.token || vault.open(id, row.token) !== token) return;
    await tx.updateTable('forge_site').set({ token: null, token_until: null }).where('tenant', '=', id).execute();
  });
}
