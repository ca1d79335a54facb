import { sql } from 'kysely';
import { pruneGrants } from '../../access/grants.ts';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';
import { pruneTemplates } from '../../templates/templates.ts';
import { pruneVersions } from '../../templates/versions.ts';

/** The retention of the history. */
export interface Retention {
  /** Days for which a revision is stored. */
  days: number;
  /** The maximum number of stored revisions of one issue. */
  count: number;
}

/** The default retention. */
export const usualRetention: Retention = { days: 365, count: 1_000 };

/**
 * Days for which a revision is stored in any case after it was the newest: a browser may have it as the base of unsent
 * changes, and repeat a change whose answer was lost.
 */
const MIN_STORED_DAYS = 30;

/** Applies to one statement. */
const MAX_PRUNED_ISSUES = 100;

/** The next issues with a history, in order, after the given one. */
async function nextIssues(tx: Tx, tenant: string, after: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('revision')
    .select('issue')
    .distinct()
    .where('tenant', '=', tenant)
    .where('issue', '>', after)
    .orderBy('issue')
    .limit(MAX_PRUNED_ISSUES)
    .execute();
  return rows.map(({ issue }) => issue);
}

/**
 * Deletes the newest revision only of an issue that is gone, with the `checklist` row that refers to it; a row that a
 * concurrent change has updated stays, and so does the revision. Keeps the base of the property.
 */
const dropOld = (tenant: string, issues: readonly string[], { days, count }: Retention) => sql`
  with old as (
    select r.issue, r.epoch, r.seq, c.issue is not null as newest, s.issue is not null as known,
      (r.epoch, r.seq) in ((s.confirmed_epoch, s.confirmed_seq), (s.pending_epoch, s.pending_seq)) as base,
      r.created < now() - ${days} * interval '1 day' or row_number() over latest > ${count} as over,
      coalesce(lag(r.created) over latest, r.created) < now() - ${MIN_STORED_DAYS} * interval '1 day' as closed
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
 * Deletes old history, some issues at a time: revisions beyond age or number that are not, and were not recently, the
 * newest of their issue. The history of an issue that is gone has the same retention. Also deletes templates that were
 * deleted long ago, old versions of templates, and expired permissions. Resolves with the number of deleted revisions.
 */
export async function prune(store: Store, tenant: string, retention: Retention): Promise<number> {
  let issues: string[] = [];
  let deleted = 0;
  do {
    const after = issues.at(-1) ?? '';
    issues = await store.tenant(tenant, async tx => {
      const next = await nextIssues(tx, tenant, after);
      if (next.length > 0) {
        const { numAffectedRows = 0n } = await dropOld(tenant, next, retention).execute(tx);
        deleted += Number(numAffectedRows);
      }
      return next;
    });
  } while (issues.length === MAX_PRUNED_ISSUES);
  await store.tenant(tenant, async tx => {
    await pruneGrants(tx, tenant);
    await pruneTemplates(tx, tenant);
    await pruneVersions(tx, tenant, { ...retention, open: MIN_STORED_DAYS });
  });
  return deleted;
}
