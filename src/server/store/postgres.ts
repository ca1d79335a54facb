import type { CompiledQuery, QueryResult } from 'kysely';
import pg from 'pg';
import { StoreUnavailable } from '../errors/unavailable.ts';
import type { BegunTransaction, Connection } from './store.ts';

/** Applies to each connection. Each number of inserted rows is a statement of its own. */
const MAX_PREPARED = 500;

/** A star that is neither a product nor in `count(*)`. */
const everyColumn = /(?:\b(?:select|distinct|all|returning)|[.,])\s*\*/i;

/**
 * Names statements, so that each connection parses and plans them once. A statement with `*` gets no name: the database
 * refuses it once another version of the app has added a column.
 */
function createNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  return sql => {
    const preparedName = names.get(sql);
    if (preparedName || names.size >= MAX_PREPARED || everyColumn.test(sql)) return preparedName;
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}

const counted = ['INSERT', 'UPDATE', 'DELETE'];

function resultOf<Row>(answer: pg.QueryResult | pg.QueryResult[]): QueryResult<Row> {
  // A query of several statements has a result for each.
  const { command, rowCount, rows } = [answer].flat().at(-1) ?? { command: '', rowCount: 0, rows: [] };
  return { rows, ...(counted.includes(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
}

/** Throws if the database rolled back: it answers the commit of a failed transaction without an error. */
function assertCommitted({ command }: pg.QueryResult): void {
  if (command !== 'COMMIT') throw new Error('The database took the transaction back.');
}

/**
 * Tracks the statements that each connection has prepared. A pooler keeps the name of a statement that the database
 * refused to prepare in a failed transaction, and ends a connection that uses the name again (PgBouncer up to 1.24 at
 * least): a connection is not reused after the first use of a statement on it failed.
 */
function createPrepared() {
  const prepared = new WeakMap<pg.PoolClient, Set<string>>();
  const unsure = new WeakSet<pg.PoolClient>();
  return {
    note(client: pg.PoolClient, name: string, answer: Promise<unknown>) {
      const names = prepared.get(client) ?? new Set();
      if (names.has(name)) return;
      prepared.set(client, names);
      answer.then(
        () => names.add(name),
        () => unsure.add(client),
      );
    },
    isUnsure: (client: pg.PoolClient) => unsure.has(client),
  };
}

/** Whether a statement failed without an answer of the database: its connection is broken, or silent. */
const isUnanswered = (error: unknown): boolean => !(error instanceof pg.DatabaseError);

/**
 * Takes connections from a pool. Once a connection left a statement without an answer, those that were open at that time
 * are closed instead of used: if the route or the database has frozen, each of them would cost its caller the whole
 * timeout.
 */
function createTaking(pool: pg.Pool) {
  const openedIn = new WeakMap<pg.PoolClient, number>();
  let generation = 0;
  return {
    async take(): Promise<pg.PoolClient> {
      for (;;) {
        const client = await pool.connect().catch(error => {
          throw new StoreUnavailable(error);
        });
        const opened = openedIn.get(client) ?? generation;
        openedIn.set(client, opened);
        if (opened === generation) return client;
        client.release(true);
      }
    },
    /** Uses no connection that is open now, except for what runs on it. */
    distrust() {
      generation += 1;
    },
    /** Notes an error of a statement on a connection. Returns whether it was left without an answer. */
    failed(client: pg.PoolClient, error: unknown): boolean {
      const unanswered = isUnanswered(error);
      if (unanswered && openedIn.get(client) === generation) generation += 1;
      return unanswered;
    },
  };
}

/**
 * Transactions over a pool whose connections send without waiting for earlier answers (`pipeline`): a transaction
 * begins along with its first statements, and independent statements share a round trip. `timeout` limits each
 * statement, and each wait for the next one, in milliseconds. Each transaction sets it: a transaction pooler accepts no
 * such parameter for a connection. A connection that left a statement without an answer is closed at once. A failure to
 * connect is a `StoreUnavailable`, whatever its code.
 */
export function postgresTransactions(
  pool: pg.Pool,
  timeout: number,
): Pick<Connection, 'begin' | 'batch'> & { distrust(): void } {
  const nameOf = createNames();
  const { note, isUnsure } = createPrepared();
  const { take, failed, distrust } = createTaking(pool);
  const limits = ['statement_timeout', 'idle_in_transaction_session_timeout'];
  const BEGIN = ['begin', ...limits.map(limit => `set local ${limit} = ${timeout}`)].join('; ');

  const send = (client: pg.PoolClient, { sql, parameters }: CompiledQuery<unknown>): Promise<pg.QueryResult> => {
    const name = parameters.length ? nameOf(sql) : undefined;
    const answer = client.query({ text: sql, values: [...parameters], ...(name && { name }) });
    if (name) note(client, name, answer);
    return answer;
  };

  return {
    distrust,
    async begin(first): Promise<BegunTransaction> {
      const client = await take();
      // If this fails, later statements would run without a transaction: they reject, and the connection is closed.
      const begun = Promise.all([client.query(BEGIN), first && send(client, first)]);
      begun.catch(() => {});
      // Later statements are refused.
      let over = false;
      let unanswered: { error: unknown } | undefined;
      const answered = async <T>(answer: Promise<T>): Promise<T> => {
        try {
          return await answer;
        } catch (error) {
          if (failed(client, error)) unanswered ??= { error };
          throw error;
        }
      };
      const end = async (statement: 'commit' | 'rollback', last: readonly CompiledQuery<unknown>[] = []) => {
        if (over) return;
        over = true;
        if (unanswered) {
          // Neither a commit nor a rollback would be answered either.
          client.release(true);
          throw unanswered.error;
        }
        const sent = last.map(each => send(client, each));
        const [ended, beginning, ...answers] = await Promise.allSettled([client.query(statement), begun, ...sent]);
        const broken = [beginning, ended].some(({ status }) => status === 'rejected');
        client.release(broken || isUnsure(client));
        const refused = [beginning, ...answers, ended].find(answer => answer.status === 'rejected');
        if (refused) {
          failed(client, refused.reason);
          throw refused.reason;
        }
        if (statement === 'commit' && ended.status === 'fulfilled') assertCommitted(ended.value);
      };
      return {
        async execute<Row>(statement: CompiledQuery<Row>) {
          if (over) throw new Error('The transaction is over.');
          const [answer] = await answered(Promise.all([send(client, statement), begun]));
          return resultOf<Row>(answer);
        },
        commit: last => end('commit', last),
        rollback: () => end('rollback'),
      };
    },

    async batch(statements) {
      const client = await take();
      const begin = client.query(BEGIN);
      const sent = statements.map(statement => send(client, statement));
      const [begun, end, ...answers] = await Promise.allSettled([begin, client.query('commit'), ...sent]);
      const refused = [begun, ...answers, end].find(answer => answer.status === 'rejected');
      const unanswered = refused !== undefined && failed(client, refused.reason);
      client.release(unanswered || begun.status === 'rejected' || end.status === 'rejected' || isUnsure(client));
      if (refused) throw refused.reason;
      if (end.status === 'fulfilled') assertCommitted(end.value);
      return answers.flatMap(answer => (answer.status === 'fulfilled' ? resultOf(answer.value) : []));
    },
  };
}
