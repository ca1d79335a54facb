import { sql } from 'kysely';
import type { Tx } from '../store/tables.ts';

/** Lines that people use again. */
export interface Template {
  id: string;
  /** The id of the only project that it is for; `null` for the whole site. */
  project: string | null;
  name: string;
  text: string;
}

export interface StoredTemplate extends Template {
  /** Who wrote it last: an account id. */
  account: string;
  created: Date;
  updated: Date;
}

const COLUMNS = ['id', 'project', 'name', 'text', 'account', 'created', 'updated'] as const;

/** Ids that were made up elsewhere are not even looked up. */
const templateId = /^[\w-]{1,64}$/;

export async function getTemplate(tx: Tx, tenant: string, id: string): Promise<StoredTemplate | undefined> {
  if (!templateId.test(id)) return undefined;
  return tx.selectFrom('template').select(COLUMNS).where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst();
}

/** Those of the whole site, and those of the project if one is given; by name. */
export const listTemplates = (tx: Tx, tenant: string, project?: string): Promise<StoredTemplate[]> =>
  tx
    .selectFrom('template')
    .select(COLUMNS)
    .where('tenant', '=', tenant)
    .where(here => here.or([here('project', 'is', null), ...(project ? [here('project', '=', project)] : [])]))
    .orderBy('name')
    .orderBy('id')
    .execute();

/** Adds a template, or writes the one of that id anew. */
export async function putTemplate(tx: Tx, tenant: string, account: string, template: Template): Promise<void> {
  const values = { ...template, account, updated: sql<Date>`now()` };
  await tx
    .insertInto('template')
    .values({ tenant, ...values })
    .onConflict(conflict => conflict.columns(['tenant', 'id']).doUpdateSet(values))
    .execute();
}

/** The texts of all templates of a tenant. */
export const templateTexts = (tx: Tx, tenant: string): Promise<Pick<Template, 'id' | 'project' | 'text'>[]> =>
  tx.selectFrom('template').select(['id', 'project', 'text']).where('tenant', '=', tenant).execute();

/** Writes a template's text anew, without anybody who would have done it. */
export async function writeTemplateText(tx: Tx, tenant: string, id: string, text: string): Promise<void> {
  await tx.updateTable('template').set({ text }).where('tenant', '=', tenant).where('id', '=', id).execute();
}
