import type { TestStore } from '../support/stores.ts';

/** Tables that a sequence fills, beside the queue. */
export const TABLES = [
  ...['checklist', 'sync', 'revision', 'assigned_item', 'status_use', 'template_use', 'status', 'registry'],
  ...['project_copy', 'template', 'template_version', 'template_default', 'imported', 'job'],
];

/** The rows of a tenant. */
export interface Backup {
  /** Replaces what is stored by what was, as of another day and another watch. Its jobs are lost. */
  restore(): Promise<void>;
}

export async function backUp({ raw }: Pick<TestStore, 'raw'>, tenant: string): Promise<Backup> {
  const saved = new Map<string, Record<string, unknown>[]>();
  for (const table of TABLES) {
    const [row] = await raw(`select coalesce(jsonb_agg(to_jsonb(t)), '[]') as rows from ${table} t where tenant = $1`, [
      tenant,
    ]);
    saved.set(table, row?.rows as Record<string, unknown>[]);
  }
  return {
    async restore() {
      for (const [table, rows] of saved) {
        await raw(`delete from ${table} where tenant = $1`, [tenant]);
        const text = JSON.stringify(rows);
        await raw(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [text]);
      }
      await raw('delete from queue where tenant = $1', [tenant]);
      await raw(`update revision set created = created - interval '1 day' where tenant = $1`, [tenant]);
      await raw(`update sync set watch = 'an earlier one' where tenant = $1`, [tenant]);
      await raw('update tenant set status_version = status_version + 1 where tenant = $1', [tenant]);
    },
  };
}
