import { randomUUID } from 'node:crypto';
import { type InferResult, type RawBuilder, sql } from 'kysely';
import * as v from 'valibot';
import { type PortalMode, portalModes } from '../../domain/permissions.ts';
import { readAs } from '../../domain/shape.ts';
import type { ProductSettingsPayload } from '../../domain/token.ts';
import { publish } from '../store/live-events.ts';
import { statement } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import type { Vault } from '../store/vault.ts';
import { endWebhookSecrets } from '../store/webhook-secrets.ts';
import { redeemToken, type UsedToken } from './used-tokens.ts';

/** A site that installed the app. */
export interface Tenant {
  /** The tracker's client key, or the cloud id of a site that never had the Connect app. */
  id: string;
  /** The site's URL without a trailing slash. */
  url: string;
  /** Shared with the tracker, for signatures in both directions. `undefined` if the Connect app is not installed. */
  secret: string | undefined;
  /** The tenant's site on Forge, if the app is installed there. */
  forge: ForgeSite | undefined;
  /** Whether the license is active. Without it nothing can be changed. */
  licensed: boolean;
  /** Id of this installation; revisions are counted within it. */
  epoch: string;
  /** Incremented by each change of the statuses. */
  statusVersion: number;
  settings: Omit<ProductSettingsPayload, 'has_checklist' | 'licensed' | 'permission_keys'>;
  /** The text field that is kept equal to the checklist: the app's own, one that an administrator chose, or none. */
  mirror: 'own' | 'none' | { field: string };
  /** The part of checklists that portal customers see, by project. `fallback` applies to projects without a choice. */
  portal: { fallback: PortalMode; projects: ReadonlyMap<string, PortalMode> };
}

/** A tenant's site on Forge. */
export interface ForgeSite {
  cloudId: string;
  /** Base URL of the site's REST API, without a trailing slash. */
  gateway: string;
  /** The app's token; `until` in milliseconds since the epoch. */
  token: { value: string; until: number } | undefined;
  /** The site's keys of the app's permissions, by module; `undefined` while unknown. */
  permissions: Readonly<Record<string, string>> | undefined;
}

/** An installation as a Connect app. */
export interface Installation {
  id: string;
  url: string;
  secret: string;
  /** Installation id of the same app on Forge, if the tracker names it. */
  forge?: string | undefined;
  /** The token of the request; rejected with `Unauthorized` if it was used before. */
  token?: UsedToken | undefined;
}

export interface Tenants {
  /** The tenant of this id; `undefined` if there is none or it uninstalled the app. */
  find(id: string): Promise<Tenant | undefined>;
  /** Runs a transaction that changes what `find` resolves with. */
  change<T>(id: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Stores a first or repeated installation as a Connect app. After an uninstallation it starts a new epoch. */
  install(installation: Installation): Promise<void>;
  /** Removes the Connect app. A site on Forge stays installed. `token` as in an installation. */
  uninstall(id: string, token?: UsedToken): Promise<void>;
}

/** The format of client keys; other ids are not looked up. */
const clientKey = /^[\w.:-]{1,255}$/;
export const isClientKey = (value: unknown): value is string => typeof value === 'string' && clientKey.test(value);

/** The id in an ARI of a Forge installation, or the id itself. */
export const installationOf = (name: string): string => name.split('/').at(-1) ?? name;

const COLUMNS = [
  'tenant.url',
  'tenant.secret',
  'tenant.licensed',
  'epoch',
  'manage_permissions',
  'view_permissions',
  'analytics',
  'getting_started',
  'starters',
  'text_field',
  'mirror',
  'portal',
  'status_version',
  'forge_site.cloud_id',
  'forge_site.gateway',
  'forge_site.token',
  'forge_site.token_until',
  'forge_site.licensed as forge_licensed',
  'forge_site.permissions',
] as const;

const enabled = statement((db, { id }: { id: string }) =>
  db
    .selectFrom('tenant')
    .leftJoin('forge_site', join =>
      join.onRef('forge_site.tenant', '=', 'tenant.tenant').on('forge_site.enabled', '=', true),
    )
    .select(COLUMNS)
    .select(
      sql<unknown>`(select jsonb_object_agg(project, mode) from portal_mode where portal_mode.tenant = tenant.tenant)`.as(
        'portals',
      ),
    )
    .where('tenant.tenant', '=', id)
    .where('tenant.enabled', '=', true),
);
type Row = InferResult<ReturnType<typeof enabled>>[number];

const permissionNames = v.record(v.string(), v.string());

const modeShape = v.picklist(portalModes);
const modesShape = v.record(v.string(), modeShape);

/** Unknown modes, as of a later version, show nothing. */
function portalOf({ portal, portals }: Row): Tenant['portal'] {
  return {
    fallback: readAs(modeShape, portal) ?? 'OFF',
    projects: new Map(Object.entries(readAs(modesShape, portals) ?? {})),
  };
}

function forgeOf(vault: Vault, tenant: string, row: Row): ForgeSite | undefined {
  const { cloud_id: cloudId, gateway, token, token_until: until } = row;
  if (cloudId === null || gateway === null) return undefined;
  return {
    ...{ cloudId, gateway },
    token: token && until ? { value: vault.open(tenant, token), until: until.getTime() } : undefined,
    permissions: readAs(permissionNames, row.permissions),
  };
}

/** Columns of a tenant that stays installed while `holds`, for an update. */
export const installedWhile = (holds: RawBuilder<boolean>) => ({
  enabled: holds,
  // `enabled` is the value before the update.
  uninstalled: sql<Date | null>`case when ${holds} then null when enabled then now() else coalesce(uninstalled, now()) end`,
});

export function createTenants(store: Store, vault: Vault): Tenants {
  return {
    async find(id) {
      if (!isClientKey(id)) return undefined;
      const [found] = await store.batch(id, [enabled({ id })]);
      const [row] = found.rows;
      return (
        row && {
          id,
          url: row.url,
          secret: row.secret ? vault.open(id, row.secret) : undefined,
          forge: forgeOf(vault, id, row),
          // After a site's move to Forge, Connect's state is out of date.
          licensed: row.forge_licensed ?? row.licensed,
          epoch: row.epoch,
          statusVersion: row.status_version,
          settings: {
            getting_started_template_id: row.getting_started,
            manage_permissions_enabled: row.manage_permissions,
            view_permissions_enabled: row.view_permissions,
            analytics_enabled: row.analytics,
            ...(!row.starters && { starters_hidden: true }),
          },
          portal: portalOf(row),
          mirror: !row.mirror ? 'none' : row.text_field === null ? 'own' : { field: row.text_field },
        }
      );
    },
    change: (id, work) => store.tenant(id, work),
    async install({ id, url, secret, forge, token }) {
      const sealed = vault.seal(id, secret);
      const epoch = randomUUID();
      await store.tenant(id, async tx => {
        if (token) await redeemToken(tx, id, token);
        const before = await tx.selectFrom('tenant').select('enabled').where('tenant', '=', id).executeTakeFirst();
        if (before?.enabled === false) await endWebhookSecrets(tx, id);
        await tx
          .insertInto('tenant')
          .values({ tenant: id, url, secret: sealed, epoch, enabled: true, installation: forge ?? null })
          .onConflict(conflict =>
            conflict.column('tenant').doUpdateSet(({ ref, eb }) => ({
              url,
              secret: sealed,
              enabled: true,
              uninstalled: null,
              installation: eb.fn.coalesce(eb.val(forge ?? null), ref('tenant.installation')),
              epoch: eb.case().when(ref('tenant.enabled')).then(ref('tenant.epoch')).else(epoch).end(),
              // Changes were not written meanwhile.
              copies_watch: eb.case().when(ref('tenant.enabled')).then(ref('tenant.copies_watch')).else(null).end(),
            })),
          )
          .execute();
        await publish(tx, id, { kind: 'settings' });
      });
    },
    async uninstall(id, token) {
      await store.tenant(id, async tx => {
        if (token) await redeemToken(tx, id, token);
        const onForge = sql<boolean>`exists (select from forge_site where forge_site.tenant = ${id} and forge_site.enabled)`;
        const tenant = await tx
          .updateTable('tenant')
          .set({ secret: null, ...installedWhile(onForge) })
          .where('tenant', '=', id)
          .returning('enabled')
          .executeTakeFirst();
        if (!tenant?.enabled) await endWebhookSecrets(tx, id);
        await publish(tx, id, { kind: tenant?.enabled ? 'settings' : 'uninstalled' });
      });
    },
  };
}
