import { sql } from 'kysely';
import { pruneGrants } from '../auth/grants.ts';
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

/** Issues whose history is gone through in one statement, which is to be short. */
const ISSUES = 100;

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

/**
 * The newest version goes only where the issue is gone, together with the issue's `checklist` row, which names it: a row
 * that a change has moved on meanwhile stays, and so does the version. The property's base is kept as long as it is one.
 */
const dropOld = (tenant: string, issues: readonly string[], { days, count }: Retention) => sql`
  with old as (
    select r.issue, r.epoch, r.seq, c.issue is not null as newest, s.issue is not null as known,
      (r.epoch, r.seq) in ((s.confirmed_epoch, s.confirmed_seq), (s.pending_epoch, s.pending_seq)) as base,
      r.created < now() - ${days} * interval '1 day' or row_number() over latest > ${count} as over,
      coalesce(lag(r.created) over latest, r.created) < now() - ${OPEN} * interval '1 day' as closed
    from revision r
      left join checklist c on (c.tenant, c.issue, c.epoch, c.seq) = (r.tenant, r.issue, r.epoch, r.seq)
      left join sync s on (s.tenant, s.issue) = (r.tenant, r.issue)
    where r.tenant = ${tenant} and r.issue in (${sql.join(issues)})
    window latest as (partition by r.issue order by r.created desc, r.seq desc)
  ), gone as (
    delete from checklist c using old
    where c.tenant = ${tenant} and c.issue = old.issue and c.epoch = old.epoch and c.seq = old.seq
      and old.newest and old.over and old.closed and not old.known
    returning c.issue
  )
  delete from revision r using old
  where r.tenant = ${tenant} and r.issue = old.issue and r.epoch = old.epoch and r.seq = old.seq
    and (r.issue in (select issue from gone) or old.over and old.closed and not old.newest and old.base is not true)`;

/**
 * Drops old history, some issues at a time: what is over age or over number, is neither the newest version of its issue
 * nor was that lately. An issue that is gone keeps its history for as long; then nothing is known of it any more.
 * So are templates that were deleted long ago, what templates said before, and permissions that count no more.
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
  await store.tenant(tenant, async tx => {
    await pruneGrants(tx, tenant);
    await pruneTemplates(tx, tenant);
    await pruneVersions(tx, tenant, { ...retention, open: OPEN });
  });
}
