import { type CompiledQuery, sql } from 'kysely';
import { builder, statement } from '../store/statement.ts';
import type { Tx } from '../store/tables.ts';

/** A change of the templates that an issue uses. */
export interface TemplateUses {
  /** Ids of added templates. */
  added: string[];
  /** Whether the earlier ones were removed. */
  emptied: boolean;
}

const clear = statement((db, { tenant, issue }: { tenant: string; issue: string }) =>
  db.deleteFrom('template_use').where('tenant', '=', tenant).where('issue', '=', issue),
);

/** Stores it, in the transaction that writes the change. */
export function noteTemplateUses(
  { tenant, issue }: { tenant: string; issue: string },
  { added, emptied }: TemplateUses,
): CompiledQuery<unknown>[] {
  const values = added.map(template => ({ tenant, template, issue }));
  const insert = builder.insertInto('template_use').onConflict(conflict => conflict.doNothing());
  return [
    ...(emptied ? [clear({ tenant, issue })] : []),
    ...(values.length > 0 ? [insert.values(values).compile()] : []),
  ];
}

/** Counts the issues that use a template. */
export async function countUses(tx: Tx, tenant: string, template: string): Promise<number> {
  const { count } = await tx
    .selectFrom('template_use')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenant', '=', tenant)
    .where('template', '=', template)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether nothing is stored any more of the template that a use names. */
const isLost = sql<boolean>`(
  not exists (select from template t where t.tenant = template_use.tenant and t.id = template_use.template)
  and not exists (
    select from template_version v where v.tenant = template_use.tenant and v.template = template_use.template))`;

/** Issues whose stored uses name a template that is deleted for good. */
export async function issuesWithLostUses(tx: Tx, tenant: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('template_use')
    .select('issue')
    .distinct()
    .where('tenant', '=', tenant)
    .where('issue', 'in', ids)
    .where(isLost)
    .execute();
  return rows.map(({ issue }) => issue);
}

/** Deletes an issue's uses of templates that are deleted for good. */
export async function dropLostUses(tx: Tx, tenant: string, issue: string): Promise<void> {
  await tx.deleteFrom('template_use').where('tenant', '=', tenant).where('issue', '=', issue).where(isLost).execute();
}
