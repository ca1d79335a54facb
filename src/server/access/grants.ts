import { type CompiledQuery, sql } from 'kysely';
import * as v from 'valibot';
import { readEach } from '../../domain/shape.ts';
import { statement } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';

/** The tracker's answer for an account and an issue. */
export interface Answer {
  granted: ReadonlySet<string>;
  /** The issue is visible by permission, or to a customer in the portal. */
  sees: 'issue' | 'request' | 'nothing';
}

/** The account and installation of an answer. */
interface Asker {
  tenant: string;
  epoch: string;
  account: string;
}

/** An issue, and whether the call was made for the issue's frame. */
export interface AskedIssue {
  issue: string;
  framed: boolean;
}

/** Stores answers of the tracker in the database, for times when it is unavailable. */
export interface Grants {
  /** Stores the answers of a call that started `age` milliseconds ago. */
  note(asker: Asker, answers: readonly (AskedIssue & { answer: Answer })[], age: number): Promise<void>;
  /** The valid answers by issue: not older than a session, and not doubted since. */
  find(asker: Asker, issues: readonly AskedIssue[]): Promise<Map<string, Answer>>;
  /** Deletes an answer. */
  drop(asker: Asker, asked: AskedIssue): Promise<void>;
  /** Invalidates all earlier answers and tokens of an issue. */
  doubt(tenant: string, issue: string): Promise<void>;
  /** Doubts of all tenants that may concern a token, oldest first, at most `most`; ages in milliseconds. */
  doubts(most: number): Promise<{ tenant: string; issue: string; age: number }[]>;
}

/** While the tracker is unavailable, an answer is valid for as long as a session. */
const VALID_MINUTES = 60;
/** A doubt is stored for longer than any token or answer that it concerns is valid. */
const DOUBT_MINUTES = VALID_MINUTES + 5;
const minutes = (count: number) => sql`make_interval(mins => ${sql.lit(count)})`;

const rowShape = v.object({
  issue: v.string(),
  granted: v.array(v.string()),
  sees: v.picklist(['issue', 'request', 'nothing']),
});

interface Noted extends Asker {
  /** JSON: an array of objects with the columns of an issue. */
  rows: string;
  age: number;
}

const note = statement<Noted>((db, { tenant, epoch, account, rows, age }) => ({
  compile: () =>
    sql`insert into access_grant as stored (tenant, issue, account, framed, epoch, granted, sees, asked)
      select ${tenant}, issue, ${account}, framed, ${epoch}, granted, sees, now() - ${age}::float8 * interval '1 ms'
      from json_to_recordset(${rows}::json) as given(issue text, framed boolean, granted jsonb, sees text)
      order by issue
      on conflict (tenant, issue, account, framed) do update
        set epoch = excluded.epoch, granted = excluded.granted, sees = excluded.sees, asked = excluded.asked
        where stored.asked <= excluded.asked`.compile(db),
}));

const find = statement<Asker & { rows: string }, unknown>((db, { tenant, epoch, account, rows }) => ({
  compile: () =>
    sql`select g.issue, g.granted, g.sees from access_grant g
      join json_to_recordset(${rows}::json) as wanted(issue text, framed boolean) using (issue, framed)
      where g.tenant = ${tenant} and g.account = ${account} and g.epoch = ${epoch}
        and g.asked > now() - ${minutes(VALID_MINUTES)}
        and not exists (select from access_doubt d
          where d.tenant = g.tenant and d.issue = g.issue and d.since >= g.asked)`.compile(db),
}));

const drop = statement((db, { tenant, account, issue, framed }: Omit<Asker, 'epoch'> & AskedIssue) =>
  db
    .deleteFrom('access_grant')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('account', '=', account)
    .where('framed', '=', framed),
);

const doubt = statement<{ tenant: string; issue: string }>((db, { tenant, issue }) =>
  db
    .insertInto('access_doubt')
    .values({ tenant, issue, since: sql<Date>`now()` })
    .onConflict(conflict => conflict.columns(['tenant', 'issue']).doUpdateSet({ since: sql<Date>`now()` })),
);

/** The statement that invalidates earlier answers and tokens of an issue for other processes. */
export const noteDoubt = (tenant: string, issue: string): CompiledQuery<unknown> => doubt({ tenant, issue });

export const createGrants = (store: Pick<Store, 'batch' | 'sweep'>): Grants => ({
  async note(asker, answers, age) {
    const rows = answers.map(({ answer: { granted, sees }, ...asked }) => ({ ...asked, granted: [...granted], sees }));
    await store.batch(asker.tenant, [note({ ...asker, rows: JSON.stringify(rows), age })]);
  },
  async find(asker, issues) {
    const [{ rows }] = await store.batch(asker.tenant, [find({ ...asker, rows: JSON.stringify(issues) })]);
    const answerRows = readEach(rowShape, rows);
    return new Map(answerRows.map(({ issue, granted, sees }) => [issue, { granted: new Set(granted), sees }]));
  },
  async drop({ tenant, account }, asked) {
    await store.batch(tenant, [drop({ tenant, account, ...asked })]);
  },
  async doubt(tenant, issue) {
    await store.batch(tenant, [noteDoubt(tenant, issue)]);
  },
  async doubts(most) {
    const { rows } = await store.sweep(tx =>
      sql<{ tenant: string; issue: string; age: number }>`
        select tenant, issue, extract(epoch from now() - since)::float8 * 1000 as age from access_doubt
        where since > now() - ${minutes(DOUBT_MINUTES)} order by since desc limit ${most}`.execute(tx),
    );
    return rows.toReversed();
  },
});

/** Deletes a tenant's expired answers and doubts. */
export async function pruneGrants(tx: Tx, tenant: string): Promise<void> {
  await sql`delete from access_grant where tenant = ${tenant} and asked < now() - ${minutes(VALID_MINUTES)}`.execute(
    tx,
  );
  await sql`delete from access_doubt where tenant = ${tenant} and since < now() - ${minutes(DOUBT_MINUTES)}`.execute(
    tx,
  );
}
