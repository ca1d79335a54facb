import { randomUUID } from 'node:crypto';
import type { ProductSettingsPayload } from '../../../domain/token.ts';
import { announce } from '../../live/announce.ts';
import { statement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';
import type { Vault } from '../../store/vault.ts';

/** A site that installed the add-on. */
export interface Tenant {
  /** The tracker's client key. */
  id: string;
  /** The tracker's address without a trailing slash. */
  url: string;
  /** Shared with the tracker: signs what it sends us and what we send it. */
  secret: string;
  /** This installation's; revisions are counted within it. */
  epoch: string;
  /** Grows with each change of the statuses. */
  statusVersion: number;
  settings: Omit<ProductSettingsPayload, 'has_checklist'>;
  /** The text field that is kept equal to the checklist: our descriptor's, one that an administrator chose, or none. */
  mirror: 'own' | 'none' | { field: string };
}

export interface Installation {
  id: string;
  url: string;
  secret: string;
}

export interface Tenants {
  /** The tenant of this client key, unless there is none or it uninstalled the add-on. */
  find(id: string): Promise<Tenant | undefined>;
  /** Runs a transaction that changes what `find` resolves with. */
  change<T>(id: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A first or repeated installation. After an uninstallation it starts a new epoch. */
  install(installation: Installation): Promise<void>;
  uninstall(id: string): Promise<void>;
}

/** Client keys as the tracker makes them; anything else is not even looked up. */
const clientKey = /^[\w.:-]{1,255}$/;
export const isClientKey = (value: unknown): value is string => typeof value === 'string' && clientKey.test(value);

const COLUMNS = [
  'url',
  'secret',
  'epoch',
  'manage_permissions',
  'view_permissions',
  'analytics',
  'getting_started',
  'text_field',
  'mirror',
  'status_version',
] as const;

const enabled = statement((db, { id }: { id: string }) =>
  db.selectFrom('tenant').select(COLUMNS).where('tenant', '=', id).where('enabled', '=', true),
);

export function createTenants(store: Store, vault: Vault): Tenants {
  return {
    async find(id) {
      if (!isClientKey(id)) return undefined;
      const [found] = await store.together(id, [enabled({ id })]);
      const [row] = found.rows;
      return (
        row && {
          id,
          url: row.url,
          secret: vault.open(id, row.secret),
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
    async install({ id, url, secret }) {
      const sealed = vault.seal(id, secret);
      const epoch = randomUUID();
      await store.tenant(id, async tx => {
        await tx
          .insertInto('tenant')
          .values({ tenant: id, url, secret: sealed, epoch, enabled: true })
          .onConflict(conflict =>
            conflict.column('tenant').doUpdateSet(({ ref, eb }) => ({
              url,
              secret: sealed,
              enabled: true,
              epoch: eb.case().when(ref('tenant.enabled')).then(ref('tenant.epoch')).else(epoch).end(),
            })),
          )
          .execute();
        await announce(tx, id, { kind: 'settings' });
      });
    },
    async uninstall(id) {
      await store.tenant(id, async tx => {
        await tx.updateTable('tenant').set({ enabled: false }).where('tenant', '=', id).execute();
        await announce(tx, id, { kind: 'uninstalled' });
      });
    },
  };
}
