import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import * as v from 'valibot';
import { parseAs } from '../domain/shape.ts';
import { lockFolder } from './lock.ts';

/** Documents of one kind. Reads are from memory; a write resolves when it is on disk. */
export interface Collection<T> {
  get(id: string): T | undefined;
  /** All documents in the order of their ids, or those with the prefix. */
  list(prefix?: string): { id: string; value: T }[];
  put(id: string, value: T): Promise<void>;
  delete(id: string): Promise<void>;
}

export interface Store {
  collection<T>(kind: string, shape: v.GenericSchema<unknown, T>): Collection<T>;
  close(): Promise<void>;
}

/** A separate part of the store, by name. */
export const subStore = (store: Store, name: string): Store => ({
  collection: (kind, shape) => store.collection(`${name} ${kind}`, shape),
  close: async () => undefined,
});

interface Disk {
  put(kind: string, id: string, value: unknown): Promise<unknown>;
  delete(kind: string, id: string): Promise<unknown>;
  close(): Promise<unknown>;
}

const nowhere: Disk = {
  put: async () => undefined,
  delete: async () => undefined,
  close: async () => undefined,
};

const rowsShape = v.array(v.object({ kind: v.string(), id: v.string(), value: v.unknown() }));

/** Opens documents in the folder, or in memory without one. Throws `FolderInUse`. */
export async function openStore(folder: string | undefined): Promise<Store> {
  if (folder === undefined) return storeOn(nowhere, []);
  const unlock = await lockFolder(folder);
  try {
    const database = await PGlite.create(join(folder, 'database'));
    // json, not jsonb: it keeps every string as it came, NUL characters and lone surrogates included.
    await database.exec(
      'create table if not exists documents (kind text, id text, value json, primary key (kind, id))',
    );
    const { rows } = await database.query('select kind, id, value from documents');
    return storeOn(diskOf(database, unlock), parseAs(rowsShape, rows));
  } catch (error) {
    await unlock();
    throw error;
  }
}

const diskOf = (database: PGlite, unlock: () => Promise<void>): Disk => ({
  put: (kind, id, value) =>
    database.query(
      'insert into documents values ($1, $2, $3::json) on conflict (kind, id) do update set value = excluded.value',
      [kind, id, JSON.stringify(value)],
    ),
  delete: (kind, id) => database.query('delete from documents where kind = $1 and id = $2', [kind, id]),
  async close() {
    await database.close();
    await unlock();
  },
});

function storeOn(disk: Disk, rows: v.InferOutput<typeof rowsShape>): Store {
  return {
    collection<T>(kind: string, shape: v.GenericSchema<unknown, T>): Collection<T> {
      const documents = new Map(rows.filter(row => row.kind === kind).map(row => [row.id, parseAs(shape, row.value)]));
      return {
        get: id => documents.get(id),
        list: (prefix = '') =>
          [...documents]
            .filter(([id]) => id.startsWith(prefix))
            .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
            .map(([id, value]) => ({ id, value })),
        async put(id, value) {
          // Memory first, synchronously: a read followed by a put cannot be interleaved.
          documents.set(id, value);
          await disk.put(kind, id, value);
        },
        async delete(id) {
          documents.delete(id);
          await disk.delete(kind, id);
        },
      };
    },
    close: async () => {
      await disk.close();
    },
  };
}
