/** The database is unreachable, lost its connection, has no room, takes no writes or fails. The request can be retried. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The database is away.', { cause });
  }
}

/** The process had no thread, time or memory for a computation over texts. The request can be retried. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
  /** Seconds until a retry. */
  readonly reset: number;
  /** Whether the computation was refused before it began: too many others wait. */
  readonly isUntried: boolean;

  constructor(
    message: string,
    reset: number,
    { isUntried = false, cause }: { isUntried?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.reset = reset;
    this.isUntried = isUntried;
  }
}

/**
 * SQLSTATE (PostgreSQL, "Error Codes"): broken connections, no room, a cancelled statement or ended process, a failed disk, a
 * read-only server (after a failover, or short of room), an idle transaction's timeout, a serialization failure or
 * deadlock, an internal error, as a new connection meets on a full disk. Then the operating system's codes of connections.
 */
const passing = /^(?:08...|53...|57...|58...|XX...|25006|25P03|40001|40P01|55P03|E[A-Z_]+)$/;
/** Messages of `pg` without a code. */
const broken =
  /^Connection terminated|connection error|Client was closed|timeout exceeded when trying to connect|^timeout expired$|^Query read timeout/;

/** Whether an error of the database is transient. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? passing.test(code) : broken.test(error.message);
}
