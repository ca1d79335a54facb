import { open, unlink } from 'node:fs/promises';
import { sql } from 'kysely';
import { installedWhile } from '../platform/tenants.ts';
import { exportLines } from '../settings/records.ts';
import { publish } from '../store/live-events.ts';
import { contentTables } from '../store/migrations.ts';
import { removeTenant } from '../store/removal.ts';
import type { Store } from '../store/store.ts';
import { Declined, type Result } from './result.ts';
import { bytes, messages, table } from './texts.ts';

/** A site as operators name it. */
export interface NamedTenant {
  id: string;
  /** The host of its address. */
  name: string;
  installed: boolean;
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** All sites, in the order of their names. */
export async function namedTenants(store: Store): Promise<NamedTenant[]> {
  const tenants: NamedTenant[] = [];
  for (const id of await store.tenants()) {
    const row = await store.tenant(id, tx =>
      tx.selectFrom('tenant').select(['url', 'enabled']).where('tenant', '=', id).executeTakeFirst(),
    );
    if (row) tenants.push({ id, name: hostOf(row.url), installed: row.enabled });
  }
  return tenants.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The site of a name or id. Rejects with `Declined` if there is none, or several have the name. */
export async function findTenant(store: Store, nameOrId: string): Promise<NamedTenant> {
  const tenants = await namedTenants(store);
  const byId = tenants.find(({ id }) => id === nameOrId);
  const byName = tenants.filter(({ name }) => name === nameOrId);
  if (byId) return byId;
  if (byName.length > 1)
    throw new Declined(
      messages.severalTenants(
        nameOrId,
        byName.map(({ id }) => id),
      ),
    );
  const [found] = byName;
  if (!found) throw new Declined(messages.noTenant(nameOrId));
  return found;
}

interface Figures {
  connect: boolean;
  forge: boolean;
  uninstalled: Date | null;
  checklists: number;
  revisions: number;
  used: Date | null;
  size: number;
}

const sizes = (tenant: string) =>
  sql.join(
    contentTables.map(
      name =>
        sql`(select coalesce(sum(pg_column_size(each)), 0) from ${sql.table(name)} each where each.tenant = ${tenant})`,
    ),
    sql` + `,
  );

/** The last change, permission check or call with an API token is the last use. */
const figures = (tenant: string) => sql<Figures>`
  select t.secret is not null as connect, t.uninstalled,
    exists (select from forge_site f where f.tenant = t.tenant and f.enabled) as forge,
    (select count(*) from checklist c where c.tenant = t.tenant and c.seq > 0)::int as checklists,
    (select count(*) from revision r where r.tenant = t.tenant)::int as revisions,
    greatest((select max(created) from revision r where r.tenant = t.tenant),
      (select max(asked) from access_grant g where g.tenant = t.tenant),
      (select max(used) from api_token a where a.tenant = t.tenant)) as used,
    (${sizes(tenant)})::float8 as size
  from tenant t where t.tenant = ${tenant}`;

const day = (time: Date | null): string => time?.toISOString().slice(0, 10) ?? '';
const platform = ({ connect, forge }: Figures): string =>
  [connect ? ['Connect'] : [], forge ? ['Forge'] : []].flat().join(', ');

/** All sites with their size in bytes and last use. */
export async function listTenants(store: Store): Promise<Result> {
  const listedTenants: (NamedTenant & Figures)[] = [];
  for (const tenant of await namedTenants(store)) {
    const { rows } = await store.tenant(tenant.id, tx => figures(tenant.id).execute(tx));
    if (rows[0]) listedTenants.push({ ...tenant, ...rows[0] });
  }
  return {
    json: listedTenants,
    text: table(
      ['Site', 'Tenant', 'Installed', 'Uninstalled', 'Checklists', 'Versions', 'Size', 'Last use'],
      listedTenants.map(each => [
        ...[each.name, each.id, each.installed ? platform(each) : 'no', day(each.uninstalled)],
        ...[each.checklists, each.revisions, bytes(each.size), day(each.used)],
      ]),
    ),
  };
}

/** Writes a site's export to a new file that only its owner can read. */
export async function exportTenant(store: Store, { id }: NamedTenant, path: string): Promise<Result> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST'
      ? new Declined(messages.fileExists(path))
      : error;
  });
  let rows = -1;
  try {
    for await (const line of exportLines(store, id)) {
      await file.appendFile(line);
      rows += 1;
    }
    await file.close();
  } catch (error) {
    await file.close();
    // No part of an export stays under its name.
    await unlink(path);
    throw error;
  }
  return { json: { tenant: id, file: path, rows }, text: messages.exported(rows, path) };
}

export interface RemoveOptions {
  /** The name of the site, repeated. */
  confirm: string | undefined;
  /** Also if the app is installed. */
  evenInstalled: boolean;
  /** Resolves when no running server works any more for a site that was uninstalled before. */
  settled(): Promise<void>;
}

/**
 * Deletes all data of a site, its installation included. Rejects with `Declined` unless its name is repeated. An installed
 * one is uninstalled first, or a running server could write rows of it behind the deletion.
 */
export async function removeSite(store: Store, { id, name }: NamedTenant, options: RemoveOptions): Promise<Result> {
  if (options.confirm !== name) throw new Declined(messages.unconfirmed(name));
  const wasInstalled = await store.tenant(id, async tx => {
    const tenant = await tx
      .selectFrom('tenant')
      .select('enabled')
      .where('tenant', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!tenant?.enabled) return false;
    if (!options.evenInstalled) throw new Declined(messages.installed(name));
    await tx
      .updateTable('tenant')
      .set(installedWhile(sql.lit(false)))
      .where('tenant', '=', id)
      .execute();
    // Ends its sessions and streams in running servers.
    await publish(tx, id, { kind: 'uninstalled' });
    return true;
  });
  if (wasInstalled) await options.settled();
  const rows = await store.tenant(id, tx => removeTenant(tx, id));
  return { json: { tenant: id, name, rows }, text: messages.removed(rows, name) };
}
