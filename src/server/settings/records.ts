import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PortalMode } from '../../domain/permissions.ts';
import { publish } from '../store/live-events.ts';
import { contentTables } from '../store/migrations.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import type { SiteSettings, TextField } from './types.ts';

/** The stored settings of a site. */
export async function loadSettings(tx: Tx, tenant: string): Promise<SiteSettings> {
  const row = await tx
    .selectFrom('tenant')
    .select([
      'manage_permissions',
      'view_permissions',
      'analytics',
      'getting_started',
      'starters',
      'mirror',
      'text_field',
    ])
    .where('tenant', '=', tenant)
    .executeTakeFirstOrThrow();
  return {
    managePermissions: row.manage_permissions,
    viewPermissions: row.view_permissions,
    analytics: row.analytics,
    gettingStartedTemplate: row.getting_started,
    starters: row.starters,
    textField: textFieldOf(row),
  };
}

function textFieldOf({ mirror, text_field }: { mirror: boolean; text_field: string | null }): TextField {
  if (!mirror) return { mode: 'NONE' };
  return text_field === null ? { mode: 'OWN' } : { mode: 'CHOSEN', field: text_field };
}

/** Saves the given settings. */
export async function saveSettings(tx: Tx, tenant: string, values: Partial<SiteSettings>): Promise<void> {
  const { managePermissions, viewPermissions, analytics, gettingStartedTemplate, starters, textField } = values;
  const columns = {
    ...(managePermissions !== undefined && { manage_permissions: managePermissions }),
    ...(viewPermissions !== undefined && { view_permissions: viewPermissions }),
    ...(analytics !== undefined && { analytics }),
    ...(gettingStartedTemplate !== undefined && { getting_started: gettingStartedTemplate }),
    ...(starters !== undefined && { starters }),
    ...(textField && {
      mirror: textField.mode !== 'NONE',
      text_field: textField.mode === 'CHOSEN' ? textField.field : null,
    }),
  };
  if (Object.keys(columns).length > 0) {
    await tx.updateTable('tenant').set(columns).where('tenant', '=', tenant).execute();
  }
  if (textField?.mode === 'NONE') await dropFields(tx, tenant);
  await publish(tx, tenant, { kind: 'settings' });
}

/** Ends the tries of all refused fields: none is written any more. A run that loaded one before records nothing. */
async function dropFields(tx: Tx, tenant: string): Promise<void> {
  await tx
    .updateTable('sync')
    .set({ field_wanted: false, field_pending: null, field_refused: null, field_tries: 0, field_notice: null })
    .set({ fence: sql<number>`fence + 1` })
    .where('tenant', '=', tenant)
    .where('field_refused', 'is not', null)
    .execute();
}

/** Saves the portal mode of a project. */
export async function savePortal(tx: Tx, tenant: string, project: string, mode: PortalMode): Promise<void> {
  await tx
    .insertInto('portal_mode')
    .values({ tenant, project, mode })
    .onConflict(conflict => conflict.columns(['tenant', 'project']).doUpdateSet({ mode }))
    .execute();
}

/** Tables of a tenant's installation. */
const installation: readonly string[] = ['tenant', 'forge_site'];

/**
 * Deletes all data of a tenant except its installation, and begins a new epoch. Keeps the setting of analytics.
 */
export async function removeData(tx: Tx, tenant: string): Promise<void> {
  for (const table of contentTables.filter(name => !installation.includes(name))) {
    await sql`delete from ${sql.table(table)} where tenant = ${tenant}`.execute(tx);
  }
  await tx
    .updateTable('tenant')
    .set({
      ...{ epoch: randomUUID(), manage_permissions: false, view_permissions: false, getting_started: null },
      ...{ starters: true, mirror: true, text_field: null, portal: 'OFF' },
      status_version: sql<number>`status_version + 1`,
    })
    .where('tenant', '=', tenant)
    .execute();
  for (const kind of ['settings', 'statuses', 'templates'] as const) await publish(tx, tenant, { kind });
}

/** The exported tables, without secrets, with their keys within a tenant. */
const exported = {
  revision: ['issue', 'epoch', 'seq'],
  template: ['id'],
  template_version: ['template', 'version'],
  template_default: ['project'],
  template_rule: ['id'],
  status: ['slug'],
  webhook: ['id'],
  api_token: ['id'],
  person: ['account'],
  notification_mute: ['account', 'issue'],
} as const;

/** Columns that are left out: secrets, and values that could be compared with a secret. */
const secrets: Readonly<Record<string, readonly string[]>> = { webhook: ['secret', 'token'], api_token: ['hash'] };

/** Rows are read in several transactions, so that a slow reader holds no long transaction. */
const ROWS_PER_TRANSACTION = 200;

/** The rows after a row, or the first ones. Concurrent writes do not shift the pages. */
function batch(tenant: string, table: string, keys: readonly string[], after: string | undefined) {
  const of = (rows: string) => sql.join(keys.map(key => sql.ref(`${rows}.${key}`)));
  const last = sql`jsonb_populate_record(null::${sql.table(table)}, ${after}::jsonb)`;
  return sql<{
    row: string;
  }>`select (to_jsonb(t) - ${['tenant', ...(secrets[table] ?? [])]}::text[])::text as row from ${sql.table(table)} t
    where tenant = ${tenant} ${after === undefined ? sql`` : sql`and (${of('t')}) > (select ${of('l')} from ${last} l)`}
    order by ${of('t')} limit ${ROWS_PER_TRANSACTION}`;
}

/** A tenant's data as lines of JSON. */
export async function* exportLines(store: Store, tenant: string): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: 'smart-checklist-site', version: 1 })}\n`;
  for (const [table, keys] of Object.entries(exported)) {
    let last: string | undefined;
    do {
      const { rows } = await store.tenant(tenant, tx => batch(tenant, table, keys, last).execute(tx));
      for (const { row } of rows) yield `{"table":"${table}","row":${row}}\n`;
      last = rows.length < ROWS_PER_TRANSACTION ? undefined : rows.at(-1)?.row;
    } while (last !== undefined);
  }
}
