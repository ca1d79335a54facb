import type { PGlite, Results, Transaction } from '@electric-sql/pglite';
import type { CompiledQuery, QueryResult } from 'kysely';
import type { BegunTransaction, Connection } from './store.ts';

/** A running `pglite.transaction`, which ends when its callback does. */
interface OpenTransaction {
  tx: Transaction;
  end(commit: boolean): Promise<void>;
}

// The instance's transaction() locks it; after a plain BEGIN other statements could interleave.
function open(pglite: PGlite): Promise<OpenTransaction> {
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

async function execute<Row>(tx: Transaction, statement: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const { sql, parameters } = statement;
  // Without parameters there may be several statements, as with `pg`.
  const result = parameters.length
    ? await tx.query<Row>(sql, [...parameters])
    : ((await tx.exec(sql)) as Results<Row>[]).at(-1);
  const { rows = [], affectedRows } = result ?? {};
  return { rows, ...(affectedRows !== undefined && { numAffectedRows: BigInt(affectedRows) }) };
}

const hasEnded = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && ['FATAL', 'PANIC'].includes(String(error.severity));

/**
 * Refuses each statement after the database has ended itself, as when the disk is full and a commit cannot be logged: the
 * instance would compute for ever, and with it the process. Calls `onEnd` once.
 */
export function sendNothingAfterEnd(pglite: Pick<PGlite, 'execProtocolStream'>, onEnd: (error: Error) => void): void {
  const send = pglite.execProtocolStream.bind(pglite);
  let end: Error | undefined;
  pglite.execProtocolStream = async (message, options) => {
    if (end) throw end;
    try {
      return await send(message, options);
    } catch (error) {
      if (hasEnded(error)) {
        end = error;
        onEnd(error);
      }
      throw error;
    }
  };
}

/** Transactions of an embedded PGlite. The caller owns and closes the instance. */
export const pgliteTransactions = (pglite: PGlite): Pick<Connection, 'begin' | 'batch'> => ({
  async begin(first): Promise<BegunTransaction> {
    const { tx, end } = await open(pglite);
    // Later statements are refused: they would run outside of a transaction.
    let over = false;
    const finish = async (commit: boolean) => {
      if (over) return;
      over = true;
      await end(commit);
    };
    if (first) {
      try {
        await execute(tx, first);
      } catch (error) {
        await finish(false);
        throw error;
      }
    }
    return {
      async execute(statement) {
        if (over) throw new Error('The transaction is over.');
        return execute(tx, statement);
      },
      async commit(last = []) {
        for (const statement of over ? [] : last) await execute(tx, statement);
        await finish(true);
      },
      rollback: () => finish(false),
    };
  },

  batch: statements =>
    pglite.transaction(async tx => {
      const answers: QueryResult<unknown>[] = [];
      for (const statement of statements) answers.push(await execute(tx, statement));
      return answers;
    }),
});
