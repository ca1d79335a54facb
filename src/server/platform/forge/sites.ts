import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import * as v from 'valibot';
import { addonPermissions, permissionKey } from '../../../domain/permissions.ts';
import { readAs } from '../../../domain/shape.ts';
import { TokenRefused, TrackerDeferred, TrackerUnavailable } from '../../errors/tracker.ts';
import { background } from '../../quota/work.ts';
import { createCache } from '../../store/cached.ts';
import { publish } from '../../store/live-events.ts';
import type { Store } from '../../store/store.ts';
import type { ForgeSiteTable, Tx } from '../../store/tables.ts';
import type { Vault } from '../../store/vault.ts';
import { endWebhookSecrets } from '../../store/webhook-secrets.ts';
import { installedWhile, type Tenant, type Tenants } from '../tenants.ts';
import type { Tracker } from '../tracker/client.ts';
import { type CallTarget, callTargetWith } from '../tracker/endpoint.ts';
import type { Trackers } from '../tracker/trackers.ts';
import { redeemToken, type UsedToken } from '../used-tokens.ts';
import { readClientKey } from './client-key.ts';
import type { Invocation } from './invocations.ts';
import { betterThan, type LastingToken } from './token-life.ts';

const shape = v.object({ permissions: v.record(v.string(), v.unknown()) });

/**
 * The site's keys of the app's permissions, by module: Connect's if the site had the Connect app, else Forge's
 * (`ari:cloud:ecosystem::extension/{app}/{environment}/static/{module}`). `undefined` until the site has them all.
 */
export async function readPermissionNames(
  tracker: Tracker,
  app: { appId: string; environmentId: string | undefined },
): Promise<Record<string, string> | undefined> {
  const { body } = await tracker({ name: 'readPermissions', method: 'GET', path: '/rest/api/3/permissions' });
  const keys = Object.keys(readAs(shape, body)?.permissions ?? {});
  // A site may have the app from two environments.
  const ownPrefix = `ari:cloud:ecosystem::extension/${app.appId.split('/').at(-1)}/${app.environmentId ?? ''}`;
  const named = Object.values(addonPermissions).flatMap(module => {
    const connect = permissionKey(module);
    const key = keys.find(
      each => each === connect || (each.startsWith(ownPrefix) && each.endsWith(`/static/${module}`)),
    );
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
  /** Whether a site may have had the Connect app of the same key, whose tenant it continues. */
  past: 'connect' | 'none';
  /** Called after a first or repeated installation. */
  installed(tenant: string): Promise<void>;
  /** Called when a site has a valid token again, for work that waits for one. */
  renewed(tenant: string): Promise<void>;
  onError(error: unknown): void;
  now?(): number;
}

/** Sites on Forge and their tenants, by cloud id. */
export interface Sites {
  /**
   * Registers a site that has installed the app and resolves with its tenant. A new site continues its tenant under
   * Connect, if any. `undefined` if the call has not enough data for a new site. Rejects with `TrackerUnavailable`
   * if the tenant cannot be determined now.
   */
  enter(invocation: Invocation, token: string | undefined): Promise<Tenant | undefined>;
  /** The tenant of a registered site. The call may be older than an uninstallation. */
  known(invocation: Invocation, token: string | undefined): Promise<Tenant | undefined>;
  /** The tenant of a site by its cloud id. */
  find(cloudId: string): Promise<Tenant | undefined>;
  /**
   * Disables a site that is about to uninstall the app. Its Connect app stays. Rejects with `Unauthorized` if the call's
   * token has disabled it before: a repeated call finds it disabled.
   */
  leave(invocation: Invocation): Promise<void>;
  /** Reads and stores the site's keys of the app's permissions, unless known. */
  learn(tenant: Tenant, invocation: Invocation): Promise<void>;
  /** Disables sites without a call for a day whose gateway refuses the token. */
  dropSilent(): Promise<void>;
  /** Number of sites whose token is missing or expires within half an hour. */
  countEnding(): Promise<number>;
}

type Row = Selectable<ForgeSiteTable>;

/**
 * The time of a site's last call is stored with this accuracy. After `SILENT_AFTER_MS` without a call a site counts as
 * silent.
 */
const CALL_ACCURACY_MS = 10 * 60_000;
const SILENT_AFTER_MS = 24 * 3_600_000;
/** Each site calls within this time after the server's start, as the trigger is hourly. */
const FIRST_CALLS_MS = 2 * 3_600_000;
const MAX_CACHED_SITES = 10_000;
/** A token counts as ending this long before its expiry. */
const TOKEN_ENDING_MS = 30 * 60_000;

export function createSites(options: SitesOptions): Sites {
  const { store, vault, tenants, trackerOf, appId, past, installed, renewed, onError, now = Date.now } = options;
  const begun = now();

  /** Tenants by the cloud ids of their sites. */
  const tenantIds = createCache<string>(MAX_CACHED_SITES);

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

  /** Determines the tenant of a new site. */
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
    const tracker = trackerOf(callTargetWith(cloudId, invocation, token), background('event'));
    const clientKey = await readClientKey(tracker);
    if (clientKey === 'none') return cloudId;
    if (clientKey !== 'refused') return clientKey.key;
    // The installation is probably that tenant, whose data must not be lost: a later call decides.
    if (atSameAddress) throw new TrackerUnavailable('readClientKey: refused');
    return cloudId;
  }

  /** Stores a call's data. Resolves with whether the site existed in this installation of its tenant. */
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
    // The cloud id of a site never changes: a copy of the site must not take its tenant over.
    if (site && site.cloud_id !== cloudId) throw new TrackerUnavailable("The tenant is another site's.");
    // Sessions and revisions of an earlier installation are invalid; an installation of the Connect app continues.
    const stays =
      (tenant.enabled && tenant.secret !== null) || (site ? site.installation === installation : tenant.enabled);
    await tx
      .updateTable('tenant')
      .set({
        enabled: true,
        uninstalled: null,
        ...(siteUrl !== undefined && tenant.secret === null && { url: siteUrl }),
        ...(!stays && { epoch, copies_watch: null }),
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
    if (!stays) {
      await endWebhookSecrets(tx, id);
      await publish(tx, id, { kind: 'uninstalled' });
    }
    if (!site?.enabled || site.licensed !== values.licensed) await publish(tx, id, { kind: 'settings' });
    return stays && site !== undefined;
  }

  /** Stores a call's data if it is new. */
  async function note(id: string, row: Row | undefined, invocation: Invocation, received: string | undefined) {
    const before = row?.enabled && row.installation === invocation.installation ? tokenIn(row) : undefined;
    // The token in a frame's call is set by its visitor: it does not replace a valid one.
    const isGood = before !== undefined && before.until > now();
    const token = invocation.isFrame && isGood ? undefined : betterThan(before, received, now());
    const isKnown =
      row?.enabled &&
      row.installation === invocation.installation &&
      row.gateway === invocation.gateway &&
      row.seen.getTime() + CALL_ACCURACY_MS > now() &&
      (invocation.licensed ?? row.licensed) === row.licensed;
    if (isKnown && !token) return;
    const asBefore = await tenants.change(id, tx => put(tx, id, invocation, token));
    // A failure here does not undo the installation.
    if (!asBefore) await installed(id).catch(onError);
    // Not awaited: the visitor's sign-in does not depend on it.
    if (token && !isGood) void renewed(id).catch(onError);
  }

  async function switchOff({ tenant: id }: Row, token?: UsedToken): Promise<void> {
    await tenants.change(id, async tx => {
      if (token) await redeemToken(tx, id, token);
      await tx
        .updateTable('forge_site')
        .set({ enabled: false, token: null, token_until: null })
        .where('tenant', '=', id)
        .execute();
      await tx.deleteFrom('forge_asker').where('tenant', '=', id).execute();
      const tenant = await tx
        .updateTable('tenant')
        .set(installedWhile(sql<boolean>`secret is not null`))
        .where('tenant', '=', id)
        .returning('enabled')
        .executeTakeFirst();
      if (!tenant?.enabled) await endWebhookSecrets(tx, id);
      await publish(tx, id, { kind: tenant?.enabled ? 'settings' : 'uninstalled' });
    });
  }

  /** Whether the gateway refuses the last token: the app was uninstalled. */
  async function isGone(row: Row): Promise<boolean> {
    const token = tokenIn(row);
    // It was refused before its expiry.
    if (!token) return true;
    const { tenant, cloud_id: cloudId, gateway } = row;
    const tracker = trackerOf(callTargetWith(tenant, { cloudId, gateway }, token.value), background('sweep'));
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
      // Without a call of a frame the site's URL is known from Connect only.
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
      if (row?.enabled && row.installation === invocation.installation) await switchOff(row, invocation.token);
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
      // After a long stop of the server every site was silent: they get time to call.
      if (now() - begun < FIRST_CALLS_MS) return;
      const silent = await store.sweep(tx =>
        tx
          .selectFrom('forge_site')
          .selectAll()
          .where('enabled', '=', true)
          .where('seen', '<', new Date(now() - SILENT_AFTER_MS))
          .execute(),
      );
      for (const row of silent) {
        // An error for one site does not stop the others.
        await isGone(row).then(gone => (gone ? switchOff(row) : undefined), onError);
      }
    },
    async countEnding() {
      const { count } = await store.sweep(tx =>
        tx
          .selectFrom('forge_site')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('enabled', '=', true)
          .where(({ or, eb }) =>
            or([eb('token_until', 'is', null), eb('token_until', '<', new Date(now() + TOKEN_ENDING_MS))]),
          )
          .executeTakeFirstOrThrow(),
      );
      return Number(count);
    },
  };
}

/** Deletes the app's token for a site after the gateway refused it. */
export async function dropAppToken(
  { tenants, vault }: Pick<SitesOptions, 'tenants' | 'vault'>,
  { id }: CallTarget,
  token: string,
): Promise<void> {
  await tenants.change(id, async tx => {
    const row = await tx
      .selectFrom('forge_site')
      .select('token')
      .where('tenant', '=', id)
      .forUpdate()
      .executeTakeFirst();
    // A newer one may have been stored meanwhile.
    if (!row?.token || vault.open(id, row.token) !== token) return;
    await tx.updateTable('forge_site').set({ token: null, token_until: null }).where('tenant', '=', id).execute();
  });
}
