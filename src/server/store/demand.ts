import { type Expression, type RawBuilder, sql } from 'kysely';

/** SQLSTATE of a demand that was not met, of a class that no database uses. */
const UNMET_SQLSTATE = 'CL001';

/** Fails the transaction unless `holds` is true; `what` becomes the error message. */
export const demand = (holds: Expression<unknown>, what: string): RawBuilder<unknown> =>
  sql`demand(${holds}, ${sql.lit(what)})`;

/** Whether an error of the database is that of the demand `what`. */
export const isUnmet = (error: unknown, what: string): boolean =>
  error instanceof Error && 'code' in error && error.code === UNMET_SQLSTATE && error.message === what;
