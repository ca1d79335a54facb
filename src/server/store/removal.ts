import { sql } from 'kysely';
import { tableNames } from './migrations.ts';
import type { Tx } from './tables.ts';

/** Each statement has to end within the database's timeout. */
const ROWS_PER_STATEMENT = 5_000;

/** The data of a tenant are kept for this time after the tenant uninstalled the app. */
export const DEFAULT_RETENTION_DAYS = 30;

/** Deletes all rows of a tenant, its installation included. Resolves with their number. */
export async function removeTenant(tx: Tx, tenant: string): Promise<number> {
  let count = 0;
  for (const name of tableNames) {
    const table = sql.table(name);
    // Another transaction may delete some of the selected rows: fewer than a batch are not the end.
    for (let deleted = ROWS_PER_STATEMENT; deleted > 0; ) {
      const { numAffectedRows = 0n } = await sql`delete from ${table} where tenant = ${tenant} and ctid = any(array(
        select ctid from ${table} where tenant = ${tenant} limit ${sql.lit(ROWS_PER_STATEMENT)}))`.execute(tx);
      deleted = Number(numAffectedRows);
      count += deleted;
    }
  }
  return count;
}

/**
 * Deletes all rows of a tenant that uninstalled the app `days` days ago or earlier, in one transaction: an installation
 * at the same time finds everything or nothing. Resolves with their number, 0 if the tenant stays.
 */
export async function removeUninstalled(tx: Tx, tenant: string, days: number): Promise<number> {
  // The lock makes an installation wait.
  const { rows } = await sql`select from tenant where tenant = ${tenant} and not enabled
    and uninstalled <= now() - make_interval(days => ${days}::int) for update`.execute(tx);
  return rows.length > 0 ? removeTenant(tx, tenant) : 0;
}
