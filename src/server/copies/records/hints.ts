import { sql } from 'kysely';
import type { TenantIssue } from '../../checklists/read/revisions.ts';
import { statement } from '../../store/statement.ts';
import type { Database } from './run.ts';

/** Accounts are stored until the issue is read. A further account replaces the last. */
const MAX_ACTORS = 100;

/** Adds a hint for a known issue, also if its copies were forgotten. */
const hinted = (db: Database, { tenant, issue }: TenantIssue, actor: string | null) =>
  db
    .insertInto('sync')
    .columns(['tenant', 'issue', 'hints', 'actors'])
    .expression(
      db
        .selectFrom('checklist')
        .select(['tenant', 'issue', sql<number>`1`.as('hints')])
        .select(sql<string[]>`array_remove(array[${actor}::text], null)`.as('actors'))
        .where('tenant', '=', tenant)
        .where('issue', '=', issue),
    );

/**
 * Records an event of the property: an expected echo is subtracted, unless the event is known to be foreign; any other is a
 * hint. `account` is the author, `null` if it is known to be the app, and if the event may be of another property. Returns whether the
 * issue has an unread hint.
 */
export const notePropertyEvent = statement<
  TenantIssue & { account: string | null; isForeign: boolean },
  { isHinted: boolean }
>((db, values) => {
  const { account, isForeign } = values;
  const isEcho = sql`not ${isForeign}::boolean and sync.echoes > 0 and sync.echoes_until > now()`;
  return hinted(db, values, account)
    .onConflict(conflict =>
      conflict.columns(['tenant', 'issue']).doUpdateSet({
        hints: sql<number>`case when ${isEcho} then sync.hints else sync.hints + 1 end`,
        echoes: sql<number>`case when ${isEcho} then sync.echoes - 1 when ${isForeign}::boolean then sync.echoes else 0 end`,
        actors: sql<string[]>`sync.actors[1:${sql.lit(MAX_ACTORS - 1)}] || excluded.actors`,
      }),
    )
    .returning(sql<boolean>`hints > hints_read`.as('isHinted'));
});

/** Adds a hint of another cause. Returns a row if the issue is known. */
export const noteHint = statement<TenantIssue, { hints: number }>((db, values) =>
  hinted(db, values, null)
    .onConflict(conflict => conflict.columns(['tenant', 'issue']).doUpdateSet({ hints: sql<number>`sync.hints + 1` }))
    .returning('hints'),
);
