import type { CompiledQuery, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Begun, Connection } from './store.ts';

/** Most statements that a connection keeps prepared; how many rows are written makes statements of their own. */
const MOST = 500;

/** A star that is neither a product nor in `count(*)`. */
const everyColumn = /(?:\b(?:select|distinct|all|returning)|[.,])\s*\*/i;

/**
 * Names for statements, so that each connection reads and plans them once. Not for one that asks for every column: the
 * server refuses it once another version of ours has added one.
 */
function createNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  return sql => {
    const known = names.get(sql);
    if (known || names.size >= MOST || everyColumn.test(sql)) return known;
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}

const counted = ['INSERT', 'UPDATE', 'DELETE'];

function resultOf<Row>(answer: pg.QueryResult | pg.QueryResult[]): QueryResult<Row> {
  // Several statements at once have an answer each.
  const { command, rowCount, rows } = [answer].flat().at(-1) ?? { command: '', rowCount: 0, rows: [] };
  return { rows, ...(counted.includes(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
}

/** The database answers a commit without an error where it took everything back. */
function committed({ command }: pg.QueryResult): void {
  if (command !== 'COMMIT') throw new Error('The database took the transaction back.');
}

/**
 * Which statements each connection has prepared. A pooler keeps the name of a statement that the database refused to
 * prepare, in a transaction that had failed already, and ends a connection that gives the name again (PgBouncer up to
 * 1.24 at least): a connection is not used again after the first use of a statement on it failed.
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

/**
 * Transactions over a pool whose connections send without waiting for the answer before (`pipeline`): a transaction
 * begins along with its first statements, and those that do not wait for each other take one round trip together.
 * Each statement, and each wait for the next one, may take `timeout` milliseconds. Each transaction says so itself: a
 * pooler takes no such parameter for a connection, and gives each transaction another one.
 */
export function postgresTransactions(pool: pg.Pool, timeout: number): Pick<Connection, 'begin' | 'together'> {
  const nameOf = createNames();
  const { note, isUnsure } = createPrepared();
  const limits = ['statement_timeout', 'idle_in_transaction_session_timeout'];
  const BEGIN = ['begin', ...limits.map(limit => `set local ${limit} = ${timeout}`)].join('; ');

  const send = (client: pg.PoolClient, { sql, parameters }: CompiledQuery<unknown>): Promise<pg.QueryResult> => {
    const name = parameters.length ? nameOf(sql) : undefined;
    const answer = client.query({ text: sql, values: [...parameters], ...(name && { name }) });
    if (name) note(client, name, answer);
    return answer;
  };

  return {
    async begin(first): Promise<Begun> {
      const client = await pool.connect();
      // Where that fails the connection is of no use: what follows would be done without a transaction, and is not told.
      const begun = Promise.all([client.query(BEGIN), first && send(client, first)]);
      begun.catch(() => {});
      // One whose transaction is over takes nothing more.
      let over = false;
      const end = async (statement: 'commit' | 'rollback', last: readonly CompiledQuery<unknown>[] = []) => {
        if (over) return;
        over = true;
        const sent = last.map(each => send(client, each));
        const [ended, beginning, ...answers] = await Promise.allSettled([client.query(statement), begun, ...sent]);
        const broken = [beginning, ended].some(({ status }) => status === 'rejected');
        client.release(broken || isUnsure(client));
        const failed = [beginning, ...answers, ended].find(answer => answer.status === 'rejected');
        if (failed) throw failed.reason;
        if (statement === 'commit' && ended.status === 'fulfilled') committed(ended.value);
      };
      return {
        async execute<Row>(statement: CompiledQuery<Row>) {
          if (over) throw new Error('The transaction is over.');
          const [answer] = await Promise.all([send(client, statement), begun]);
          return resultOf<Row>(answer);
        },
        commit: last => end('commit', last),
        rollback: () => end('rollback'),
      };
    },

    async together(statements) {
      const client = await pool.connect();
      const begin = client.query(BEGIN);
      const sent = statements.map(statement => send(client, statement));
      const [begun, end, ...answers] = await Promise.allSettled([begin, client.query('commit'), ...sent]);
      const failed = [begun, ...answers, end].find(answer => answer.status === 'rejected');
      client.release(begun.status === 'rejected' || end.status === 'rejected' || isUnsure(client));
      if (failed) throw failed.reason;
      if (end.status === 'fulfilled') committed(end.value);
      return answers.flatMap(answer => (answer.status === 'fulfilled' ? resultOf(answer.value) : []));
    },
  };
}
