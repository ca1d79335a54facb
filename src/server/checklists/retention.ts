import { sql } from 'kysely';
import type { Tx } from '../store/tables.ts';

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

/**
 * Drops old history: what is over age or over number, is neither the newest version of its issue nor was that lately.
 * An issue that is gone keeps its history for as long, the newest version too. Resolves with how much went.
 */
export async function prune(tx: Tx, tenant: string, { days, count }: Retention): Promise<number> {
  // The base of a field is kept with the field, and that of the property is the newest version.
  const { numAffectedRows = 0n } = await sql`
    delete from revision r using (
      select issue, epoch, seq, created, row_number() over newest as rank, lag(created) over newest as replaced
      from revision where tenant = ${tenant}
      window newest as (partition by issue order by created desc, seq desc)
    ) old
    where r.tenant = ${tenant} and r.issue = old.issue and r.epoch = old.epoch and r.seq = old.seq
      and (old.created < now() - ${days} * interval '1 day' or old.rank > ${count})
      and case when old.replaced is null
        then old.created < now() - ${OPEN} * interval '1 day'
          and not exists (select from mirror m where m.tenant = ${tenant} and m.issue = r.issue)
        else old.replaced < now() - ${OPEN} * interval '1 day' end`.execute(tx);
  await sql`delete from echo where tenant = ${tenant} and seen < now() - ${LATE} * interval '1 day'`.execute(tx);
  return Number(numAffectedRows);
}
