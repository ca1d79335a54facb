import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import type { Opening } from './store.ts';

/** Most statements that a connection keeps prepared; how many rows are written makes statements of their own. */
const MOST = 500;

/**
 * Names for statements, so that each connection reads and plans them once. Not for one that asks for every column: the
 * server refuses it once another version of ours has added one.
 */
function createNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  return sql => {
    const known = names.get(sql);
    if (known || names.size >= MOST || sql.includes('*')) return known;
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}

const counted = ['INSERT', 'UPDATE', 'DELETE'];

/**
 * Kysely over a pool whose connections send without waiting for the answer before (`pipeline`): a transaction begins
 * along with its first statements, and those that do not wait for each other take one round trip together.
 */
export function postgresDialect(pool: pg.Pool, opening: Opening): Dialect {
  const nameOf = createNames();

  const query = (client: pg.PoolClient, { sql, parameters }: CompiledQuery) => {
    const name = parameters.length ? nameOf(sql) : undefined;
    return client.query({ text: sql, values: [...parameters], ...(name && { name }) });
  };

  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: db => new PostgresIntrospector(db),
    createDriver: () => {
      const clients = new WeakMap<DatabaseConnection, pg.PoolClient>();
      /** What a transaction began with. Where that fails the database refuses whatever follows. */
      const begun = new WeakMap<DatabaseConnection, Promise<unknown>>();
      const clientOf = (connection: DatabaseConnection): pg.PoolClient => {
        const client = clients.get(connection);
        if (!client) throw new Error('The connection was given back.');
        return client;
      };
      /** One whose transaction is over takes nothing more: it would be done without a transaction. */
      const ended = new WeakSet<DatabaseConnection>();
      /** Connections of which nobody knows whether a transaction is open on them: nobody else gets them. */
      const unsure = new WeakSet<pg.PoolClient>();
      const end = async (connection: DatabaseConnection, statement: 'commit' | 'rollback') => {
        ended.add(connection);
        const client = clientOf(connection);
        try {
          // What was never begun cannot be committed; the server would only warn.
          if (statement === 'commit') await begun.get(connection);
          await client.query(statement);
        } catch (error) {
          unsure.add(client);
          throw error;
        }
      };
      const connect = (client: pg.PoolClient): DatabaseConnection => ({
        async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
          if (ended.has(this)) throw new Error('The transaction is over.');
          const [answer] = await Promise.all([query(client, compiled), begun.get(this)]);
          // Several statements at once have an answer each.
          const { command, rowCount, rows } = [answer].flat().at(-1) ?? answer;
          return { rows, ...(counted.includes(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
        },
        streamQuery: () => {
          throw new Error('Nothing is streamed.');
        },
      });
      return {
        init: async () => {},
        acquireConnection: async () => {
          const client = await pool.connect();
          const connection = connect(client);
          clients.set(connection, client);
          return connection;
        },
        beginTransaction: async connection => {
          const client = clientOf(connection);
          const first = opening();
          const all = Promise.all([client.query('begin'), first && query(client, first)]);
          all.catch(() => unsure.add(client));
          begun.set(connection, all);
        },
        commitTransaction: connection => end(connection, 'commit'),
        rollbackTransaction: connection => end(connection, 'rollback'),
        releaseConnection: async connection => {
          const client = clientOf(connection);
          client.release(unsure.has(client));
        },
        destroy: () => pool.end(),
      };
    },
  };
}
