import type { PGlite, Results, Transaction } from '@electric-sql/pglite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Opening } from './store.ts';

/** A running `pglite.transaction`, which ends when its callback does. */
interface OpenTransaction {
  tx: Transaction;
  end(commit: boolean): Promise<void>;
}

// The instance's own transaction() locks it; a BEGIN of ours would let others' statements slip in.
function begin(pglite: PGlite): Promise<OpenTransaction> {
  return new Promise((resolve, reject) => {
    const finished = pglite.transaction(async tx => {
      const commit = await new Promise<boolean>(decide => {
        resolve({
          tx,
          end: async verdict => {
            decide(verdict);
            await finished;
          },
        });
      });
      if (!commit) await tx.rollback();
    });
    finished.catch(reject);
  });
}

/** Kysely over an embedded PGlite. The caller keeps and closes the instance. */
export function pgliteDialect(pglite: PGlite, opening: Opening): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: db => new PostgresIntrospector(db),
    createDriver: () => {
      const transactions = new WeakMap<DatabaseConnection, OpenTransaction>();
      /** One whose transaction is over takes nothing more: it would be done without a transaction. */
      const ended = new WeakSet<DatabaseConnection>();
      const end = (connection: DatabaseConnection, commit: boolean) => {
        ended.add(connection);
        const transaction = transactions.get(connection);
        transactions.delete(connection);
        return transaction?.end(commit) ?? Promise.resolve();
      };
      const connect = (): DatabaseConnection => ({
        async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
          if (ended.has(this)) throw new Error('The transaction is over.');
          const executor = transactions.get(this)?.tx ?? pglite;
          // Without parameters several statements may come at once, as with `pg`.
          const result = parameters.length
            ? await executor.query<R>(sql, [...parameters])
            : ((await executor.exec(sql)) as Results<R>[]).at(-1);
          const { rows = [], affectedRows } = result ?? {};
          return { rows, ...(affectedRows !== undefined && { numAffectedRows: BigInt(affectedRows) }) };
        },
        streamQuery: () => {
          throw new Error('PGlite does not stream.');
        },
      });
      return {
        init: async () => {},
        acquireConnection: async () => connect(),
        beginTransaction: async connection => {
          transactions.set(connection, await begin(pglite));
          const first = opening();
          if (!first) return;
          try {
            await connection.executeQuery(first);
          } catch (error) {
            await end(connection, false);
            throw error;
          }
        },
        commitTransaction: connection => end(connection, true),
        rollbackTransaction: connection => end(connection, false),
        releaseConnection: async () => {},
        destroy: async () => {},
      };
    },
  };
}
