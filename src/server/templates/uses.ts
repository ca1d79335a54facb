import { sql } from 'kysely';
import type { ChecklistChange } from '../../domain/change.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';

/** Notes what a change that was made means for the templates that the issue carries. The same again changes nothing. */
export async function noteUse(store: Store, tenant: string, issue: string, edit: ChecklistChange): Promise<void> {
  const added = edit.kind === 'applyTemplateToChecklist' ? edit.templateIds : [];
  const emptied = edit.kind === 'clearChecklist' || ('mode' in edit && edit.mode === 'REPLACE' && !edit.section);
  if (added.length === 0 && !emptied) return;
  await store.tenant(tenant, async tx => {
    if (emptied) await tx.deleteFrom('template_use').where('tenant', '=', tenant).where('issue', '=', issue).execute();
    if (added.length === 0) return;
    const values = [...new Set(added)].map(template => ({ tenant, template, issue }));
    await tx
      .insertInto('template_use')
      .values(values)
      .onConflict(conflict => conflict.doNothing())
      .execute();
  });
}

/** How many issues carry a template. */
export async function countUses(tx: Tx, tenant: string, template: string): Promise<number> {
  const { count } = await tx
    .selectFrom('template_use')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenant', '=', tenant)
    .where('template', '=', template)
    .executeTakeFirstOrThrow();
  return count;
}
