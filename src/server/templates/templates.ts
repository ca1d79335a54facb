import { sql } from 'kysely';
import { RESTORABLE_DAYS } from '../../domain/templates/deletion.ts';
import { normalName } from '../../text/status-registry.ts';
import type { Tx } from '../store/tables.ts';
import type { DeletedTemplate, FiledTemplate, ListedTemplate, TemplateQuery } from './types.ts';
import { addVersions } from './versions.ts';

/** A reusable checklist text. */
export interface Template {
  id: string;
  /** The id of the only project that it is for; `null` for the whole site. */
  project: string | null;
  name: string;
  text: string;
}

const COLUMNS = ['id', 'project', 'name', 'text', 'items', 'account', 'created', 'updated'] as const;

/** Ids of another form are not looked up. */
const templateId = /^[\w-]{1,64}$/;
export const isTemplateId = (id: string): boolean => templateId.test(id);

/** In `template_default`: the project of the site's default, and the template of a project that has no default. */
const SITE_PROJECT = '';
const NO_TEMPLATE = '';

/** The default template of the target; `undefined` for the default of each template's own scope. */
export type DefaultTemplate = { id: string | null } | undefined;

/** Whether a template is the default of its own scope. */
const isDefaultAtHome = (tenant: string) =>
  sql<boolean>`(coalesce(template.project, ${SITE_PROJECT}), template.id) in
    (select project, template from template_default where tenant = ${tenant})`;

/** All templates as listed. The subqueries run once, not for each row. */
export function listed(tx: Tx, tenant: string, first?: DefaultTemplate) {
  const isDefault = first ? sql<boolean>`template.id is not distinct from ${first.id}` : isDefaultAtHome(tenant);
  return tx
    .selectFrom('template')
    .select(COLUMNS)
    .select(({ eb, selectFrom }) => [
      isDefault.as('isDefault'),
      eb('id', 'is not distinct from', selectFrom('tenant').select('getting_started').where('tenant', '=', tenant))
        .$castTo<boolean>()
        .as('gettingStarted'),
    ])
    .where('tenant', '=', tenant)
    .where('deleted', 'is', null);
}

/** `project` is the target whose default counts, `null` the site; `undefined` is the template's own scope. */
export async function getTemplate(
  tx: Tx,
  tenant: string,
  id: string,
  project?: string | null,
): Promise<ListedTemplate | undefined> {
  if (!isTemplateId(id)) return undefined;
  const first = project === undefined ? undefined : await defaultOf(tx, tenant, project);
  return listed(tx, tenant, first).where('id', '=', id).executeTakeFirst();
}

/** The projects of existing templates among these ids. */
export async function templateOwners(
  tx: Tx,
  tenant: string,
  ids: readonly string[],
): Promise<Pick<Template, 'id' | 'project'>[]> {
  const wellFormedIds = ids.filter(isTemplateId);
  if (wellFormedIds.length === 0) return [];
  return listed(tx, tenant).clearSelect().select(['id', 'project']).where('id', 'in', wellFormedIds).execute();
}

/** The templates of the site and of all projects by name, without texts, after a template, which may be deleted. */
export const fileTemplates = (
  tx: Tx,
  tenant: string,
  { after, most }: { after: string | undefined; most: number },
): Promise<(FiledTemplate & Pick<Template, 'project'>)[]> =>
  listed(tx, tenant)
    .clearSelect()
    .select(['id', 'project', 'name', 'items', 'updated', isDefaultAtHome(tenant).as('isDefault')])
    .$if(after !== undefined, query =>
      query.where(
        sql<boolean>`(key, id) > (select key, id from template where tenant = ${tenant} and id = ${after ?? ''})`,
      ),
    )
    .orderBy('key')
    .orderBy('id')
    .limit(most)
    .execute();

/** The default template of a project: its own, else the site's. */
export async function defaultOf(tx: Tx, tenant: string, project: string | null): Promise<{ id: string | null }> {
  const rows = await tx
    .selectFrom('template_default')
    .leftJoin('template', join =>
      join
        .onRef('template.tenant', '=', 'template_default.tenant')
        .onRef('template.id', '=', 'template_default.template')
        .on('template.deleted', 'is', null),
    )
    .select(['template_default.project', 'template_default.template', 'template.id', 'template.project as owner'])
    .where('template_default.tenant', '=', tenant)
    .where('template_default.project', 'in', [SITE_PROJECT, project ?? SITE_PROJECT])
    .execute();
  const defaults = rows.filter(
    ({ template, id, owner }) => template === NO_TEMPLATE || (id !== null && (owner === null || owner === project)),
  );
  return { id: (defaults.find(row => row.project !== SITE_PROJECT) ?? defaults[0])?.id ?? null };
}

/** Projects with their own templates, or their own default one. */
export async function templateProjects(tx: Tx, tenant: string): Promise<string[]> {
  const projectRows = await tx
    .selectFrom('template')
    .select('project')
    .distinct()
    .where('tenant', '=', tenant)
    .where('deleted', 'is', null)
    .where('project', 'is not', null)
    .execute();
  const defaults = await tx
    .selectFrom('template_default')
    .select('project')
    .where('tenant', '=', tenant)
    .where('project', '!=', SITE_PROJECT)
    .execute();
  return [...new Set([...projectRows, ...defaults].flatMap(({ project }) => project ?? []))];
}

const sorts = { NAME: 'key', UPDATED: 'updated', ITEMS: 'items' } as const;

/** A page of matching templates, and the count of all. */
export async function findTemplates(
  tx: Tx,
  tenant: string,
  { project, scope, search, sort, descending, first, skip }: TemplateQuery,
): Promise<{ templates: ListedTemplate[]; total: number }> {
  const part = `%${normalName(search).replace(/[\\%_]/g, '\\$&')}%`;
  const matching = listed(tx, tenant, project === undefined ? undefined : await defaultOf(tx, tenant, project))
    .where('key', 'like', part)
    .$if(scope === 'GLOBAL', query => query.where('project', 'is', null))
    .$if(scope === 'PROJECT', query => query.where('project', 'is not', null))
    .$if(project !== undefined, query =>
      query.where(eb => eb.or([eb('project', 'is', null), eb('project', '=', project ?? '')])),
    );
  const { total } = await matching
    .clearSelect()
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow();
  const order = descending ? 'desc' : 'asc';
  const templates = await matching
    .orderBy(sorts[sort], order)
    .orderBy('key')
    .orderBy('id')
    .limit(first)
    .offset(skip)
    .execute();
  return { templates, total };
}

const inScope = (tx: Tx, tenant: string, project: string | null) =>
  tx
    .selectFrom('template')
    .where('tenant', '=', tenant)
    .where('deleted', 'is', null)
    .where('project', project === null ? 'is' : '=', project);

export async function countTemplates(tx: Tx, tenant: string, project: string | null): Promise<number> {
  const count = sql<number>`count(*)::int`.as('count');
  return (await inScope(tx, tenant, project).select(count).executeTakeFirstOrThrow()).count;
}

/** Ids of the scope's templates with the name, regardless of case and repeated spaces. */
export async function namedTemplates(tx: Tx, tenant: string, project: string | null, name: string): Promise<string[]> {
  const rows = await inScope(tx, tenant, project).select('id').where('key', '=', normalName(name)).execute();
  return rows.map(({ id }) => id);
}

/** The names of the scope's templates, as `normalName` makes them equal. */
export async function templateKeys(tx: Tx, tenant: string, project: string | null): Promise<Set<string>> {
  const rows = await inScope(tx, tenant, project).select('key').execute();
  return new Set(rows.map(({ key }) => key));
}

/** The ids of all existing and recently deleted templates. */
export async function knownTemplates(tx: Tx, tenant: string): Promise<Set<string>> {
  const rows = await tx.selectFrom('template').select('id').where('tenant', '=', tenant).execute();
  return new Set(rows.map(({ id }) => id));
}

/** A template with the number of its text's items. */
export type CountedTemplate = Template & { items: number };

/** A template as it is stored. */
const storedTemplate = (account: string, { project, name, text, items }: Omit<CountedTemplate, 'id'>) => ({
  ...{ project, name, text, key: normalName(name), items },
  ...{ account, updated: sql<Date>`now()`, deleted: null },
});

/** Adds or replaces a template, restores a deleted one, and stores a version. */
export async function putTemplate(tx: Tx, tenant: string, account: string, template: CountedTemplate): Promise<void> {
  const { id } = template;
  const values = storedTemplate(account, template);
  await tx
    .insertInto('template')
    .values({ tenant, id, ...values })
    .onConflict(conflict => conflict.columns(['tenant', 'id']).doUpdateSet(values))
    .execute();
  await addVersions(tx, tenant, [id], account);
}

/** Adds new templates with their first versions, in as many statements for many as for one. */
export async function putNewTemplates(
  tx: Tx,
  tenant: string,
  account: string,
  templates: readonly CountedTemplate[],
): Promise<ListedTemplate[]> {
  if (templates.length === 0) return [];
  const ids = templates.map(({ id }) => id);
  const rows = templates.map(({ id, ...values }) => ({ tenant, id, ...storedTemplate(account, values) }));
  await tx.insertInto('template').values(rows).execute();
  await addVersions(tx, tenant, ids, account);
  const addedRows = await listed(tx, tenant).where('id', 'in', ids).execute();
  const byId = new Map(addedRows.map(template => [template.id, template]));
  return ids.flatMap(id => byId.get(id) ?? []);
}

export async function markDeleted(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx
    .updateTable('template')
    .set({ deleted: sql<Date>`now()` })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .execute();
}

/** A deleted template that can be restored. */
export async function deletedTemplate(tx: Tx, tenant: string, id: string): Promise<CountedTemplate | undefined> {
  if (!isTemplateId(id)) return undefined;
  return tx
    .selectFrom('template')
    .select(['id', 'project', 'name', 'text', 'items'])
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('deleted', 'is not', null)
    .executeTakeFirst();
}

/** The end of the time in which a deleted template can be restored. */
const restorableUntil = sql<Date>`template.deleted + ${RESTORABLE_DAYS} * interval '1 day'`;

/**
 * The deleted templates that can be restored, newest deletion first: those of a project, of the site (`null`), or of the
 * site and all its projects.
 */
export const deletedTemplates = (
  tx: Tx,
  tenant: string,
  { of, most }: { of: readonly (string | null)[] | 'all'; most: number },
): Promise<DeletedTemplate[]> =>
  tx
    .selectFrom('template')
    .select(['id', 'project', 'name', 'items'])
    .select([sql<Date>`template.deleted`.as('deleted'), restorableUntil.as('until')])
    .where('tenant', '=', tenant)
    .where('deleted', 'is not', null)
    .where(restorableUntil, '>', sql<Date>`now()`)
    .$if(of !== 'all', query =>
      query.where(here =>
        here.or((of === 'all' ? [] : of).map(each => here('project', each === null ? 'is' : '=', each))),
      ),
    )
    .orderBy('deleted', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();

/** Sets the default template; `null` is none, in a project not even the site's. */
export async function putDefault(tx: Tx, tenant: string, project: string | null, id: string | null): Promise<void> {
  const place = project ?? SITE_PROJECT;
  await tx.deleteFrom('template_default').where('tenant', '=', tenant).where('project', '=', place).execute();
  if (id === null && project === null) return;
  const values = { tenant, project: place, template: id ?? NO_TEMPLATE };
  await tx.insertInto('template_default').values(values).execute();
}

/** The projects with their own default template; `null` for the site. */
export async function defaultProjects(tx: Tx, tenant: string): Promise<(string | null)[]> {
  const rows = await tx.selectFrom('template_default').select('project').where('tenant', '=', tenant).execute();
  return rows.map(({ project }) => (project === SITE_PROJECT ? null : project));
}

export async function pruneTemplates(tx: Tx, tenant: string): Promise<void> {
  await tx
    .deleteFrom('template')
    .where('tenant', '=', tenant)
    .where('deleted', '<', sql<Date>`now() - ${RESTORABLE_DAYS} * interval '1 day'`)
    .execute();
}
