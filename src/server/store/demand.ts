import { type Expression, type RawBuilder, sql } from 'kysely';

/** SQLSTATE of a demand that was not met, of a class that no database uses. */
const UNMET = 'CL001';

/** Fails, and its transaction with it, unless that holds; the error says what was demanded. */
export const demand = (holds: Expression<unknown>, what: string): RawBuilder<unknown> =>
  sql`demand(${holds}, ${sql.lit(what)})`;

/** Whether an error of the database says that this demand was not met. */
export const isUnmet = (error: unknown, what: string): boolean =>
  error instanceof Error && 'code' in error && error.code === UNMET && error.message === what;
