import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import { pruneTemplates } from '../templates/templates.ts';
import { pruneVersions } from '../templates/versions.ts';

/** For how long the history is kept. */
export interface Retention {
  /** Days for which a version is kept. */
  days: number;
  /** Most versions of one issue that are kept. */
  count: number;
}

/** What is kept where nobody says otherwise. */
export const usualRetention: Retention = { days: 365, count: 1_000 };

/**
 * Days for which a version is kept in any case after it was the newest: a browser may hold it as the base of edits that
 * are not sent yet, and repeat a change of which it does not know that it was made.
 */
const OPEN = 30;
/** Days after which nothing of ours arrives any more. */
const LATE = 2;

/** Issues whose history is gone through in one statement, and most echoes that one drops: each is to be short. */
const ISSUES = 100;
const ECHOES = 5_000;

/** The next issues that have a history, in order, from that one on. */
async function nextIssues(tx: Tx, tenant: string, after: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('revision')
    .select('issue')
    .distinct()
    .where('tenant', '=', tenant)
    .where('issue', '>', after)
    .orderBy('issue')
    .limit(ISSUES)
    .execute();
  return rows.map(({ issue }) => issue);
}

// The base of a field is kept with the field, and that of the property is the newest version.
const dropOld = (tenant: string, issues: readonly string[], { days, count }: Retention) => sql`
  delete from revision r using (
    select issue, epoch, seq, created, row_number() over newest as rank, lag(created) over newest as replaced
    from revision where tenant = ${tenant} and issue in (${sql.join(issues)})
    window newest as (partition by issue order by created desc, seq desc)
  ) old
  where r.tenant = ${tenant} and r.issue = old.issue and r.epoch = old.epoch and r.seq = old.seq
    and (old.created < now() - ${days} * interval '1 day' or old.rank > ${count})
    and case when old.replaced is null
      then old.created < now() - ${OPEN} * interval '1 day'
        and not exists (select from mirror m where m.tenant = ${tenant} and m.issue = r.issue)
      else old.replaced < now() - ${OPEN} * interval '1 day' end`;

const dropEchoes = (tenant: string) => sql`
  delete from echo where tenant = ${tenant} and ctid in (
    select ctid from echo where tenant = ${tenant} and seen < now() - ${LATE} * interval '1 day' limit ${ECHOES})`;

/**
 * Drops old history, some issues at a time: what is over age or over number, is neither the newest version of its issue
 * nor was that lately. An issue that is gone keeps its history for as long, the newest version too.
 * So are templates that were deleted long ago, and what templates said before.
 */
export async function prune(store: Store, tenant: string, retention: Retention): Promise<void> {
  let issues: string[] = [];
  do {
    const after = issues.at(-1) ?? '';
    issues = await store.tenant(tenant, async tx => {
      const next = await nextIssues(tx, tenant, after);
      if (next.length > 0) await dropOld(tenant, next, retention).execute(tx);
      return next;
    });
  } while (issues.length === ISSUES);
  let dropped = 0n;
  do {
    ({ numAffectedRows: dropped = 0n } = await store.tenant(tenant, tx => dropEchoes(tenant).execute(tx)));
  } while (dropped === BigInt(ECHOES));
  await store.tenant(tenant, async tx => {
    await pruneTemplates(tx, tenant);
    await pruneVersions(tx, tenant, { ...retention, open: OPEN });
  });
}
