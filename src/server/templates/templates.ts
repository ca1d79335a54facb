import { sql } from 'kysely';
import { normalName } from '../../text/statuses.ts';
import { itemCount } from '../common/reading.ts';
import type { Tx } from '../store/tables.ts';
import type { FiledTemplate, ListedTemplate, TemplateQuery } from './types.ts';
import { addVersion, NOBODY } from './versions.ts';

/** Lines that people use again. */
export interface Template {
  id: string;
  /** The id of the only project that it is for; `null` for the whole site. */
  project: string | null;
  name: string;
  text: string;
}

const COLUMNS = ['id', 'project', 'name', 'text', 'items', 'account', 'created', 'updated'] as const;

/** Ids that were made up elsewhere are not even looked up. */
const templateId = /^[\w-]{1,64}$/;
export const isTemplateId = (id: string): boolean => templateId.test(id);

/** In `template_default` the site's own has no project, and a project that offers none first, whatever the site does, no template. */
const SITE = '';
const NONE = '';

/** The id of the one that is offered first where templates are to be used; without a place, each is asked of its own. */
type First = { id: string | null } | undefined;

/** Whether it is offered first where it belongs. */
const isDefaultAtHome = (tenant: string) =>
  sql<boolean>`(coalesce(template.project, ${SITE}), template.id) in
    (select project, template from template_default where tenant = ${tenant})`;

/** All that are there, as lists show them. The marks are looked up once, not for each row, however many a page skips. */
function listed(tx: Tx, tenant: string, first?: First) {
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

/** `project` is where it is to be used, `null` the site; without it, that is where it belongs. */
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

/** Of those that are there of these: the project that each is for. */
export async function templateOwners(
  tx: Tx,
  tenant: string,
  ids: readonly string[],
): Promise<Pick<Template, 'id' | 'project'>[]> {
  const known = ids.filter(isTemplateId);
  if (known.length === 0) return [];
  return listed(tx, tenant).clearSelect().select(['id', 'project']).where('id', 'in', known).execute();
}

/** Those that can be used in a project, the default one first, then by name. Without a project, those of the site. */
export async function usableTemplates(tx: Tx, tenant: string, project: string | null): Promise<ListedTemplate[]> {
  const found = await listed(tx, tenant, await defaultOf(tx, tenant, project))
    .where(here => here.or([here('project', 'is', null), ...(project ? [here('project', '=', project)] : [])]))
    .orderBy('key')
    .orderBy('id')
    .execute();
  return [...found.filter(template => template.isDefault), ...found.filter(template => !template.isDefault)];
}

/** By name, of the site and of all projects, without their texts; those after a template, though that may be deleted. */
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

/** The template that a project offers first: what was chosen for it, else the site's. */
async function defaultOf(tx: Tx, tenant: string, project: string | null): Promise<{ id: string | null }> {
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
    .where('template_default.project', 'in', [SITE, project ?? SITE])
    .execute();
  const said = rows.filter(
    ({ template, id, owner }) => template === NONE || (id !== null && (owner === null || owner === project)),
  );
  return { id: (said.find(row => row.project !== SITE) ?? said[0])?.id ?? null };
}

/** Projects that have templates, or a default one, of their own. */
export async function templateProjects(tx: Tx, tenant: string): Promise<string[]> {
  const own = await tx
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
    .where('project', '!=', SITE)
    .execute();
  return [...new Set([...own, ...defaults].flatMap(({ project }) => project ?? []))];
}

const sorts = { NAME: 'key', UPDATED: 'updated', ITEMS: 'items' } as const;

/** A page of them, and how many are found in all. */
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
      query.where(here => here.or([here('project', 'is', null), here('project', '=', project ?? '')])),
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

/** Ids of the templates of that scope that have the name, without regard to case and runs of blanks. */
export async function namedTemplates(tx: Tx, tenant: string, project: string | null, name: string): Promise<string[]> {
  const rows = await inScope(tx, tenant, project).select('id').where('key', '=', normalName(name)).execute();
  return rows.map(({ id }) => id);
}

/** Takes the tenant's templates for this transaction: who changes them next waits, and counts and names hold. */
export async function takeTemplates(tx: Tx, tenant: string): Promise<void> {
  await tx.selectFrom('tenant').select('tenant').where('tenant', '=', tenant).forUpdate().execute();
}

/** The ids of all templates that there are, or were lately. */
export async function knownTemplates(tx: Tx, tenant: string): Promise<Set<string>> {
  const rows = await tx.selectFrom('template').select('id').where('tenant', '=', tenant).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Adds a template, or writes the one of that id anew; one that was deleted is there again. What it says is kept as a version. */
export async function putTemplate(
  tx: Tx,
  tenant: string,
  account: string,
  { id, project, name, text }: Template,
): Promise<void> {
  const written = { project, name, text, key: normalName(name), items: itemCount(text) };
  const values = { ...written, account, updated: sql<Date>`now()`, deleted: null };
  await tx
    .insertInto('template')
    .values({ tenant, id, ...values })
    .onConflict(conflict => conflict.columns(['tenant', 'id']).doUpdateSet(values))
    .execute();
  await addVersion(tx, tenant, id, account);
}

export async function markDeleted(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx
    .updateTable('template')
    .set({ deleted: sql<Date>`now()` })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .execute();
}

/** One that was deleted and can be taken back. */
export async function deletedTemplate(tx: Tx, tenant: string, id: string): Promise<Template | undefined> {
  if (!isTemplateId(id)) return undefined;
  return tx
    .selectFrom('template')
    .select(['id', 'project', 'name', 'text'])
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('deleted', 'is not', null)
    .executeTakeFirst();
}

/** Which template is offered first there; `null` is none, in a project not even the site's. */
export async function putDefault(tx: Tx, tenant: string, project: string | null, id: string | null): Promise<void> {
  const place = project ?? SITE;
  await tx.deleteFrom('template_default').where('tenant', '=', tenant).where('project', '=', place).execute();
  if (id === null && project === null) return;
  const values = { tenant, project: place, template: id ?? NONE };
  await tx.insertInto('template_default').values(values).execute();
}

/** The projects for which it is said which one is offered first; `null` for the site. */
export async function defaultProjects(tx: Tx, tenant: string): Promise<(string | null)[]> {
  const rows = await tx.selectFrom('template_default').select('project').where('tenant', '=', tenant).execute();
  return rows.map(({ project }) => (project === SITE ? null : project));
}

/** The texts of all templates of a tenant. */
export const templateTexts = (tx: Tx, tenant: string): Promise<Pick<Template, 'id' | 'project' | 'text'>[]> =>
  tx.selectFrom('template').select(['id', 'project', 'text']).where('tenant', '=', tenant).execute();

/** Writes a template's text anew, without anybody who would have done it. */
export async function writeTemplateText(tx: Tx, tenant: string, id: string, text: string): Promise<void> {
  await tx.updateTable('template').set({ text }).where('tenant', '=', tenant).where('id', '=', id).execute();
  await addVersion(tx, tenant, id, NOBODY);
}

/** Days for which a deleted template can be taken back. */
const KEPT = 30;

export async function pruneTemplates(tx: Tx, tenant: string): Promise<void> {
  await tx
    .deleteFrom('template')
    .where('tenant', '=', tenant)
    .where('deleted', '<', sql<Date>`now() - ${KEPT} * interval '1 day'`)
    .execute();
}
