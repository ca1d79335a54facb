import { sql } from 'kysely';
import { spreadOf } from '../quota/hours.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import { type CopyRefusal, type ProjectCopyName, pauseAfter } from '../sync/refusals.ts';

/** A copy of statuses or templates that a project refuses. */
export interface RefusedProjectCopy {
  project: string;
  /** Key of the project. */
  key: string;
  copy: ProjectCopyName;
  refused: CopyRefusal;
}

const MINUTE = 60_000;

/** Milliseconds until a copy that was refused `tries` times in a row is written again. */
function pauseOf({ refused }: RefusedProjectCopy, tries: number): number {
  const { first, longest } = pauseAfter(refused);
  return Math.min(first * 2 ** Math.min(tries - 1, 16), longest) * MINUTE;
}

/**
 * Replaces a site's refused copies in projects. Resolves with whether one is new, and the milliseconds until the next
 * try; `null` where none is refused.
 */
export async function noteRefusedCopies(
  tx: Tx,
  tenant: string,
  refused: readonly RefusedProjectCopy[],
): Promise<{ isNew: boolean; after: number | null }> {
  const before = await tx
    .deleteFrom('project_copy')
    .where('tenant', '=', tenant)
    .returning(['project', 'copy', 'tries'])
    .execute();
  const rows = refused.map(each => {
    const known = before.find(({ project, copy }) => project === each.project && copy === each.copy);
    const tries = (known?.tries ?? 0) + 1;
    return { ...each, tenant, tries, after: pauseOf(each, tries) };
  });
  for (const { after, ...row } of rows) {
    const due = sql<Date>`now() + make_interval(secs => ${after / 1_000}::float8)`;
    await tx
      .insertInto('project_copy')
      .values({ ...row, due })
      .execute();
  }
  return {
    isNew: rows.some(({ tries }) => tries === 1),
    after: rows.length > 0 ? Math.min(...rows.map(({ after }) => after)) : null,
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
 * Milliseconds until a site's copies in projects are written again: at once where they lack the wanted version or the job
 * that writes them failed for good, soon where they were not yet compared in the watch, later where some are refused;
 * `null` where nothing is to be done.
 */
export const nextTry = (store: Store, tenant: string, watch: string): Promise<number | null> =>
  store.tenant(tenant, async tx => {
    const { rows } = await sql<{ after: number | null }>`
      select case
        when exists (select from tenant where tenant = ${tenant} and enabled and copies_confirmed <> copies_wanted) then 0
        when exists (select from queue where tenant = ${tenant} and name = 'mirror' and failed is not null) then 0
        when exists (select from tenant where tenant = ${tenant} and enabled and copies_watch is distinct from ${watch})
          then ${spreadOf(tenant, 'mirror')}::float8
        else (select greatest(0, extract(epoch from min(due) - now())::float8 * 1000) from project_copy
          where tenant = ${tenant} having count(*) > 0) end as after`.execute(tx);
    return rows[0]?.after ?? null;
  });
