import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import * as v from 'valibot';
import { parseAs, readAs } from '../../domain/shape.ts';
import { Refused } from '../errors/refused.ts';
import { contentTables, migrationNames } from './migrations.ts';
import type { Store } from './store.ts';
import type { Tx } from './tables.ts';

/*
 * A store as lines of JSON: first the schema, then the rows, last their number and a hash of all lines before, without
 * which a file that was cut looks like a whole one. The database serializes and parses the values, which
 * preserves their types. Queued jobs are left out: they are restored at the next start.
 */

const FORMAT_VERSION = 1;
const head = v.object({ format: v.number(), schema: v.array(v.string()) });
const closing = v.strictObject({ rows: v.number(), sha256: v.string() });
const line = v.object({ tenant: v.string(), table: v.string(), row: v.looseObject({ tenant: v.string() }) });

/** Thrown if the file does not fit this store; the message is for the operator. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
}

/** Thrown for a file of another version: no other file of that version would do. */
export class OtherVersion extends TransferRefused {
  constructor(isNewer: boolean) {
    super(
      isNewer
        ? 'The file comes from another version, a newer one: import it with that version, or update this one first.'
        : 'The file comes from another version, an older one: start this version once on its store, and export it again.',
    );
  }
}

/** Throws `OtherVersion` unless the first line is one of this version. */
function assertVersion(text: string): void {
  const { format } = read(v.object({ format: v.number() }), text, 1);
  // A newer format may have contents that this program does not know.
  if (format > FORMAT_VERSION) throw new OtherVersion(true);
  const { schema } = read(head, text, 1);
  if (schema.join() === migrationNames.join()) return;
  throw new OtherVersion(schema.some(name => !migrationNames.includes(name)));
}

const ROWS_PER_BATCH = 500;

async function* rowsOf(tx: Tx, table: string, tenant: string): AsyncGenerator<string> {
  await sql`declare rows no scroll cursor for
    select row_to_json(t)::text as row from ${sql.table(table)} t where t.tenant = ${tenant}`.execute(tx);
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(ROWS_PER_BATCH)} from rows`.execute(tx);
    if (rows.length === 0) break;
    for (const { row } of rows) yield row;
  }
  await sql`close rows`.execute(tx);
}

/** Exports all tenants, each in one transaction. Resolves with the number of rows. */
export async function exportStore(store: Store, put: (line: string) => Promise<void>): Promise<number> {
  const hash = createHash('sha256');
  let count = 0;
  const write = (text: string) => {
    hash.update(`${text}\n`);
    return put(text);
  };
  await write(JSON.stringify({ format: FORMAT_VERSION, schema: migrationNames }));
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
  await put(JSON.stringify({ rows: count, sha256: hash.digest('hex') }));
  return count;
}

function read<Shape extends v.GenericSchema>(shape: Shape, text: string, number: number): v.InferOutput<Shape> {
  try {
    return parseAs(shape, JSON.parse(text));
  } catch {
    throw new TransferRefused(`Line ${number} is not what an export writes.`);
  }
}

/** Resolves with the number of rows. Rejects with `TransferRefused` unless the file is whole and of this version. */
async function check(lines: AsyncIterable<string>): Promise<number> {
  const hash = createHash('sha256');
  let last: string | undefined;
  let number = 0;
  for await (const text of lines) {
    if (last !== undefined) hash.update(`${last}\n`);
    last = text;
    number += 1;
    if (number > 1) continue;
    assertVersion(text);
  }
  const end = readAs(v.pipe(v.string(), v.parseJson(), closing), last);
  if (!end)
    throw new TransferRefused(
      `The file ends early, with line ${number}: it has no closing line. Export or copy it again.`,
    );
  if (end.rows !== number - 2 || end.sha256 !== hash.digest('hex'))
    throw new TransferRefused(
      'The file is not whole, or was changed: its closing line says so. Export or copy it again.',
    );
  return end.rows;
}

/** Whether a value is nested deeper than this; rows have a few levels, and deep ones break the embedded database. */
function isDeeper(value: unknown, most = 20): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some(each => isDeeper(each, most - 1));
}

/**
 * Groups consecutive rows of one tenant, at most `ROWS_PER_BATCH` at once, of a file with `count` rows after its first
 * line.
 */
async function* byTenant(
  lines: AsyncIterable<string>,
  count: number,
): AsyncGenerator<{ tenant: string; rows: v.InferOutput<typeof line>[] }> {
  let batch: v.InferOutput<typeof line>[] = [];
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (number === 1) continue;
    if (number > count + 1) break;
    const next = read(line, text, number);
    if (!contentTables.includes(next.table))
      throw new TransferRefused(`Line ${number} names a table that is not known.`);
    if (isDeeper(next.row)) throw new TransferRefused(`Line ${number} is not what an export writes.`);
    if (next.row.tenant !== next.tenant) throw new TransferRefused(`Line ${number} has a row of another tenant.`);
    if (batch[0] && (batch[0].tenant !== next.tenant || batch.length === ROWS_PER_BATCH)) {
      yield { tenant: batch[0].tenant, rows: batch };
      batch = [];
    }
    batch.push(next);
  }
  if (batch[0]) yield { tenant: batch[0].tenant, rows: batch };
}

/** Whether the database, or the store, refuses a value: SQLSTATE classes 22 and 23. */
const isOfValues = (error: unknown): boolean =>
  error instanceof Refused || (error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code)));

/**
 * Imports the lines of `exportStore` into an empty store, after a first reading that shows that none is missing. `open`
 * reads them from the first one. Resolves with the number of rows.
 */
export async function importStore(store: Store, open: () => AsyncIterable<string>): Promise<number> {
  const most = await check(open());
  if ((await store.tenants()).length > 0)
    throw new TransferRefused('This store is in use: an import needs an empty one.');
  let count = 0;
  for await (const { tenant, rows } of byTenant(open(), most)) {
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
