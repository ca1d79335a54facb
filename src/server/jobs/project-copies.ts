import { sql } from 'kysely';
import { type CopyRefusal, type ProjectCopyName, repeatedRefusal } from '../copies/refusals.ts';
import { startDelayOf } from '../quota/hours.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';

type ProjectCopyKey = { project: string; copy: string };

/** A copy of statuses or templates in a project. */
export interface ProjectCopy {
  project: string;
  /** Key of the project. */
  key: string;
  copy: ProjectCopyName;
}

export interface RefusedProjectCopy extends ProjectCopy {
  refused: CopyRefusal;
}

/**
 * Replaces a site's refused copies in projects. Resolves with whether one is new, and the milliseconds until the next
 * try; `null` if none is refused.
 */
export async function noteRefusedCopies(
  tx: Tx,
  tenant: string,
  refused: readonly RefusedProjectCopy[],
): Promise<{ isNew: boolean; after: number | null }> {
  const { now } = await tx.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow();
  const before = await tx
    .selectFrom('project_copy')
    .select(['project', 'copy', 'refused as reason', 'tries', 'due as retry'])
    .where('tenant', '=', tenant)
    .execute();
  const isSame = (one: ProjectCopyKey) => (other: ProjectCopyKey) =>
    one.project === other.project && one.copy === other.copy;
  for (const { project, copy } of before.filter(each => !refused.some(isSame(each)))) {
    await tx
      .deleteFrom('project_copy')
      .where('tenant', '=', tenant)
      .where('project', '=', project)
      .where('copy', '=', copy)
      .execute();
  }
  const waits: number[] = [];
  for (const row of refused) {
    const { tries, retry: due } = repeatedRefusal(before.find(isSame(row)), row.refused, now);
    await tx
      .insertInto('project_copy')
      .values({ ...row, tenant, tries, due })
      .onConflict(conflict =>
        conflict.columns(['tenant', 'project', 'copy']).doUpdateSet({ key: row.key, refused: row.refused, tries, due }),
      )
      .execute();
    waits.push(Math.max(0, due.getTime() - now.getTime()));
  }
  return {
    isNew: refused.some(each => !before.some(isSame(each))),
    after: waits.length > 0 ? Math.min(...waits) : null,
  };
}

/** A site's refused copies in projects, by key of the project, and when each is tried again. */
export const listRefusedCopies = (
  store: Store,
  tenant: string,
): Promise<readonly (RefusedProjectCopy & { due: Date })[]> =>
  store.tenant(tenant, async tx => {
    const { rows } = await sql<RefusedProjectCopy & { due: Date }>`
      select project, key, copy, refused, due from project_copy where tenant = ${tenant}`.execute(tx);
    return rows;
  });

/** The version of statuses and templates that a site's projects should hold. */
export async function wantedVersion(tx: Tx, tenant: string): Promise<number> {
  const row = await tx.selectFrom('tenant').select('copies_wanted').where('tenant', '=', tenant).executeTakeFirst();
  return row?.copies_wanted ?? 0;
}

/** Records that all projects of a site hold a version, or refuse it. */
export async function confirmCopies(
  tx: Tx,
  tenant: string,
  { version, watch }: { version: number; watch: string },
): Promise<void> {
  await tx
    .updateTable('tenant')
    .set({ copies_confirmed: version, copies_watch: watch })
    .where('tenant', '=', tenant)
    .execute();
}

/**
 * Milliseconds until a site's copies in projects are written again: at once if they lack the wanted version or the job
 * that writes them failed for good, soon if they were not yet compared in the watch, later if some are refused;
 * `null` if nothing is to be done.
 */
export const nextTry = (store: Store, tenant: string, watch: string): Promise<number | null> =>
  store.tenant(tenant, async tx => {
    const { rows } = await sql<{ after: number | null }>`
      select case
        when exists (select from tenant where tenant = ${tenant} and enabled and copies_confirmed <> copies_wanted) then 0
        when exists (select from queue where tenant = ${tenant} and name = 'mirror' and failed is not null) then 0
        when exists (select from tenant where tenant = ${tenant} and enabled and copies_watch is distinct from ${watch})
          then ${startDelayOf(tenant, 'mirror')}::float8
        else (select greatest(0, extract(epoch from min(due) - now())::float8 * 1000) from project_copy
          where tenant = ${tenant} having count(*) > 0) end as after`.execute(tx);
    return rows[0]?.after ?? null;
  });
