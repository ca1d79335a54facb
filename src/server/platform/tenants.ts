import { randomUUID } from 'node:crypto';
import { type InferResult, sql } from 'kysely';
import * as z from 'zod';
import type { ProductSettingsPayload } from '../../domain/token.ts';
import { publish } from '../store/live-events.ts';
import { statement } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import type { Vault } from '../store/vault.ts';

/** A site that installed the add-on. */
export interface Tenant {
  /** The tracker's client key, or the cloud id of a site that never had the Connect app. */
  id: string;
  /** The tracker's address without a trailing slash. */
  url: string;
  /** Shared with the tracker: signs what it sends us and what we send it. None where the Connect app is not installed. */
  secret: string | undefined;
  /** The same site on Forge, where the app is installed there. */
  forge: ForgeSite | undefined;
  /** Not so where the platform says that the license is not active: then nothing is changed. */
  licensed: boolean;
  /** This installation's; revisions are counted within it. */
  epoch: string;
  /** Grows with each change of the statuses. */
  statusVersion: number;
  settings: Omit<ProductSettingsPayload, 'has_checklist' | 'licensed' | 'permission_keys'>;
  /** The text field that is kept equal to the checklist: our descriptor's, one that an administrator chose, or none. */
  mirror: 'own' | 'none' | { field: string };
}

/** A tenant's site on Forge. */
export interface ForgeSite {
  cloudId: string;
  /** Where the site's REST API is, without a trailing slash. */
  gateway: string;
  /** The app's, until a time in milliseconds since the epoch. */
  token: { value: string; until: number } | undefined;
  /** The site's keys of our permissions, by module, where they are not those of Connect. */
  permissions: Readonly<Record<string, string>> | undefined;
}

/** An installation as a Connect app. */
export interface Installation {
  id: string;
  url: string;
  secret: string;
  /** The same app's on Forge, where the tracker names it. */
  forge?: string | undefined;
}

export interface Tenants {
  /** The tenant of this id, unless there is none or it uninstalled the app. */
  find(id: string): Promise<Tenant | undefined>;
  /** Runs a transaction that changes what `find` resolves with. */
  change<T>(id: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A first or repeated installation as a Connect app. After an uninstallation it starts a new epoch. */
  install(installation: Installation): Promise<void>;
  /** The Connect app was uninstalled: a site on Forge stays. */
  uninstall(id: string): Promise<void>;
}

/** Client keys as the tracker makes them; anything else is not even looked up. */
const clientKey = /^[\w.:-]{1,255}$/;
export const isClientKey = (value: unknown): value is string => typeof value === 'string' && clientKey.test(value);

/** The id in a Forge installation's name, which stands alone in places. */
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
  'text_field',
  'mirror',
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
    .where('tenant.tenant', '=', id)
    .where('tenant.enabled', '=', true),
);
type Row = InferResult<ReturnType<typeof enabled>>[number];

const permissionNames = z.record(z.string(), z.string());

function forgeOf(vault: Vault, tenant: string, row: Row): ForgeSite | undefined {
  const { cloud_id: cloudId, gateway, token, token_until: until } = row;
  if (cloudId === null || gateway === null) return undefined;
  return {
    ...{ cloudId, gateway },
    token: token && until ? { value: vault.open(tenant, token), until: until.getTime() } : undefined,
    permissions: permissionNames.safeParse(row.permissions).data,
  };
}

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
          // Of a site that has moved to Forge, Connect's word is an old one.
          licensed: row.forge_licensed ?? row.licensed,
          epoch: row.epoch,
          statusVersion: row.status_version,
          settings: {
            getting_started_template_id: row.getting_started,
            manage_permissions_enabled: row.manage_permissions,
            view_permissions_enabled: row.view_permissions,
            analytics_enabled: row.analytics,
          },
          mirror: !row.mirror ? 'none' : row.text_field === null ? 'own' : { field: row.text_field },
        }
      );
    },
    change: (id, work) => store.tenant(id, work),
    async install({ id, url, secret, forge }) {
      const sealed = vault.seal(id, secret);
      const epoch = randomUUID();
      await store.tenant(id, async tx => {
        await tx
          .insertInto('tenant')
          .values({ tenant: id, url, secret: sealed, epoch, enabled: true, installation: forge ?? null })
          .onConflict(conflict =>
            conflict.column('tenant').doUpdateSet(({ ref, eb }) => ({
              url,
              secret: sealed,
              enabled: true,
              installation: eb.fn.coalesce(eb.val(forge ?? null), ref('tenant.installation')),
              epoch: eb.case().when(ref('tenant.enabled')).then(ref('tenant.epoch')).else(epoch).end(),
            })),
          )
          .execute();
        await publish(tx, id, { kind: 'settings' });
      });
    },
    async uninstall(id) {
      await store.tenant(id, async tx => {
        const onForge = sql<boolean>`exists (select from forge_site where forge_site.tenant = ${id} and forge_site.enabled)`;
        const tenant = await tx
          .updateTable('tenant')
          .set({ secret: null, enabled: onForge })
          .where('tenant', '=', id)
          .returning('enabled')
          .executeTakeFirst();
        await publish(tx, id, { kind: tenant?.enabled ? 'settings' : 'uninstalled' });
      });
    },
  };
}
