import { sql } from 'kysely';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import { Refused } from '../errors/refused.ts';
import { contentTables, migrationNames } from './migrations.ts';
import type { Store } from './store.ts';
import type { Tx } from './tables.ts';

/*
 * A store as lines of JSON: first the schema, then the rows. The database serializes and parses the values, which
 * preserves their types. Queued jobs are left out: they are restored at the next start.
 */

const head = v.object({ format: v.literal(1), schema: v.array(v.string()) });
const line = v.object({ tenant: v.string(), table: v.string(), row: v.looseObject({ tenant: v.string() }) });

/** Thrown where the file does not fit this store; the message is for the operator. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
}

/** Rows per read and write. */
const BATCH = 500;

async function* rowsOf(tx: Tx, table: string, tenant: string): AsyncGenerator<string> {
  await sql`declare rows no scroll cursor for
    select row_to_json(t)::text as row from ${sql.table(table)} t where t.tenant = ${tenant}`.execute(tx);
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(BATCH)} from rows`.execute(tx);
    if (rows.length === 0) break;
    for (const { row } of rows) yield row;
  }
  await sql`close rows`.execute(tx);
}

/** Exports all tenants, each in one transaction. Resolves with the number of rows. */
export async function exportStore(store: Store, write: (line: string) => Promise<void>): Promise<number> {
  let count = 0;
  await write(JSON.stringify({ format: 1, schema: migrationNames }));
  for (const tenant of await store.tenants()) {
    await store.tenant(tenant, async tx => {
      for (const table of contentTables) {
        for await (const row of rowsOf(tx, table, tenant)) {
          await write(`{"tenant":${JSON.stringify(tenant)},"table":"${table}","row":${row}}`);
          count += 1;
        }
      }
    });
  }
  return count;
}

function read<Shape extends v.GenericSchema>(shape: Shape, text: string, number: number): v.InferOutput<Shape> {
  try {
    return parseAs(shape, JSON.parse(text));
  } catch {
    throw new TransferRefused(`Line ${number} is not what an export writes.`);
  }
}

/** Whether a value is nested deeper than this; rows have a few levels, and deep ones break the embedded database. */
function isDeeper(value: unknown, most = 20): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some(each => isDeeper(each, most - 1));
}

/** Groups consecutive lines of one tenant, at most `BATCH` at once. */
async function* byTenant(
  lines: AsyncIterable<string>,
): AsyncGenerator<{ tenant: string; rows: v.InferOutput<typeof line>[] }> {
  let held: v.InferOutput<typeof line>[] = [];
  let number = 1;
  for await (const text of lines) {
    number += 1;
    const next = read(line, text, number);
    if (!contentTables.includes(next.table))
      throw new TransferRefused(`Line ${number} names a table that is not known.`);
    if (isDeeper(next.row)) throw new TransferRefused(`Line ${number} is not what an export writes.`);
    if (next.row.tenant !== next.tenant) throw new TransferRefused(`Line ${number} has a row of another tenant.`);
    if (held[0] && (held[0].tenant !== next.tenant || held.length === BATCH)) {
      yield { tenant: held[0].tenant, rows: held };
      held = [];
    }
    held.push(next);
  }
  if (held[0]) yield { tenant: held[0].tenant, rows: held };
}

/** Whether the database, or the store, refuses a value: SQLSTATE classes 22 and 23. */
const isOfValues = (error: unknown): boolean =>
  error instanceof Refused || (error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code)));

/** Imports the lines of `exportStore` into an empty store. Resolves with the number of rows. */
export async function importStore(store: Store, lines: AsyncIterator<string>): Promise<number> {
  const first = await lines.next();
  const { schema } = read(head, first.done ? '' : first.value, 1);
  if (schema.join() !== migrationNames.join()) {
    throw new TransferRefused(
      'The file comes from another version. Start that version once on its own store, or use it here.',
    );
  }
  if ((await store.tenants()).length > 0)
    throw new TransferRefused('This store is in use: an import needs an empty one.');
  let count = 0;
  for await (const { tenant, rows } of byTenant({ [Symbol.asyncIterator]: () => lines })) {
    const insert = async (tx: Tx) => {
      for (const table of contentTables) {
        const values = rows.filter(row => row.table === table).map(({ row }) => row);
        if (values.length === 0) continue;
        const name = sql.table(table);
        await sql`insert into ${name} select * from json_populate_recordset(null::${name}, ${JSON.stringify(values)}::json)`.execute(
          tx,
        );
      }
    };
    await store.tenant(tenant, insert).catch(error => {
      throw isOfValues(error) ? new TransferRefused(`A row after line ${count + 1} does not fit its table.`) : error;
    });
    count += rows.length;
  }
  return count;
}
