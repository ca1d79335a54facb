import { sql } from 'kysely';
import type { Tx } from '../store/tables.ts';
import type { TemplateVersion, TemplateVersions } from './types.ts';

/** The account of automatic changes. */
export const NO_AUTHOR = '';

const VERSION_COLUMNS = ['version', 'account', 'project', 'name', 'items', 'created'] as const;

/** Stores templates as their newest versions, unless these are equal. Needs the lock of `lockTenant`. */
export async function addVersions(tx: Tx, tenant: string, ids: readonly string[], account: string): Promise<void> {
  await sql`
    insert into template_version (tenant, template, version, account, project, name, text, items)
    select t.tenant, t.id, coalesce(v.version, 0) + 1, ${account}, t.project, t.name, t.text, t.items
    from template t left join lateral (
      select * from template_version where tenant = t.tenant and template = t.id order by version desc limit 1
    ) v on true
    where t.tenant = ${tenant} and t.id = any(${[...ids]}::text[])
      and (t.project, t.name, t.text) is distinct from (v.project, v.name, v.text)`.execute(tx);
}

/** Selects the versions of a template for the whole site, and for some projects. */
export interface VersionsOf {
  id: string;
  projects: readonly string[];
}

const versionsOf = (tx: Tx, tenant: string, { id, projects }: VersionsOf) =>
  tx
    .selectFrom('template_version')
    .where('tenant', '=', tenant)
    .where('template', '=', id)
    .where(here =>
      here.or([here('project', 'is', null), ...(projects.length > 0 ? [here('project', 'in', [...projects])] : [])]),
    );

/** The projects that versions of a template were for. */
export async function versionProjects(tx: Tx, tenant: string, id: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('template_version')
    .select('project')
    .distinct()
    .where('tenant', '=', tenant)
    .where('template', '=', id)
    .execute();
  return rows.flatMap(({ project }) => project ?? []);
}

/** A page of versions before a version, newest first. */
export async function listVersions(
  tx: Tx,
  tenant: string,
  of: VersionsOf,
  { before, first }: { before: number | undefined; first: number },
): Promise<TemplateVersions> {
  const versionRows = await versionsOf(tx, tenant, of)
    .select(VERSION_COLUMNS)
    .$if(before !== undefined, query => query.where('version', '<', before ?? 0))
    .orderBy('version', 'desc')
    .limit(first + 1)
    .execute();
  const versions = versionRows.slice(0, first);
  return { versions, next: versionRows.length > first ? (versions.at(-1)?.version ?? null) : null };
}

export const versionAt = (
  tx: Tx,
  tenant: string,
  of: VersionsOf,
  version: number,
): Promise<TemplateVersion | undefined> =>
  versionsOf(tx, tenant, of)
    .select([...VERSION_COLUMNS, 'text'])
    .where('version', '=', version)
    .executeTakeFirst();

/** Deletes versions beyond age or number that were not recently the newest, and versions of deleted templates. */
export async function pruneVersions(
  tx: Tx,
  tenant: string,
  { days, count, open }: { days: number; count: number; open: number },
): Promise<void> {
  await sql`
    delete from template_version v using (
      select template, version, created, row_number() over newest as rank, lag(created) over newest as replaced
      from template_version where tenant = ${tenant} window newest as (partition by template order by version desc)
    ) old
    where v.tenant = ${tenant} and v.template = old.template and v.version = old.version
      and (old.created < now() - ${days} * interval '1 day' or old.rank > ${count})
      and old.replaced < now() - ${open} * interval '1 day'`.execute(tx);
  for (const table of ['template_version', 'template_use'] as const) {
    await sql`
      delete from ${sql.table(table)} x where x.tenant = ${tenant}
        and not exists (select from template t where t.tenant = x.tenant and t.id = x.template)`.execute(tx);
  }
}
