/** The database cannot be reached, broke off, has no room or takes nothing now. What was asked for can be asked for again. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The database is away.', { cause });
  }
}

/**
 * SQLSTATE (PostgreSQL, "Error Codes"): broken connections, no room, a statement or process that was ended, a disk that
 * failed, a server that only reads for now (after a failover, or short of room), a transaction that was idle for too long
 * or lost against another. Then what the operating system says of a connection.
 */
const passing = /^(?:08...|53...|57...|58...|25006|25P03|40001|40P01|55P03|E[A-Z_]+)$/;
/** What `pg` says without a code. */
const broken =
  /^Connection terminated|connection error|Client was closed|timeout exceeded when trying to connect|^Query read timeout/;

/** Whether an error of the database says that it is to be tried again later. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? passing.test(code) : broken.test(error.message);
}
