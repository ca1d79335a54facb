import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { BadConfig, readConfig, storeOf } from './config.ts';
import { createTenants } from './platform/tenants.ts';
import { FolderInUse } from './store/folder.ts';
import { UnknownSchema } from './store/migrate.ts';
import { DifferentDatabases, openStore } from './store/open.ts';
import { NotIsolated, type Store } from './store/store.ts';
import { exportStore, importStore, TransferRefused } from './store/transfer.ts';
import { createVault, keyInFolder, type Vault } from './store/vault.ts';

const usage = `Usage: node dist/server/transfer.js export FILE
       node dist/server/transfer.js import FILE

Moves everything that a server has stored, with the settings of the server: from the embedded database (DATA_DIR) to
PostgreSQL (DATABASE_URL), back, or to another server. Stop the server first. The file holds checklists: keep it safe.
`;

async function write(store: Store, file: string): Promise<number> {
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await once(out, 'open');
  const count = await exportStore(store, async line => {
    if (!out.write(`${line}\n`)) await once(out, 'drain');
  });
  out.end();
  await once(out, 'finish');
  return count;
}

async function take(store: Store, vault: Vault, file: string): Promise<number> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  const count = await importStore(store, lines[Symbol.asyncIterator]());
  const tenants = createTenants(store, vault);
  for (const id of await store.tenants()) {
    await tenants.find(id).catch(() => {
      throw new TransferRefused('ENCRYPTION_KEY is not the one that the tenants were stored with.');
    });
  }
  return count;
}

async function run(command: string | undefined, file: string | undefined): Promise<string> {
  if ((command !== 'export' && command !== 'import') || file === undefined) throw new TransferRefused(usage);
  const config = readConfig(process.env);
  const onError = (error: Error) => process.stderr.write(`${error.message}\n`);
  const store = await openStore({ ...storeOf(config), onError });
  try {
    const vault = createVault(config.ENCRYPTION_KEY ?? (await keyInFolder(config.DATA_DIR)));
    const count = command === 'export' ? await write(store, file) : await take(store, vault, file);
    return `${count.toLocaleString('en')} rows ${command === 'export' ? 'written to' : 'taken from'} ${file}.`;
  } finally {
    await store.close();
  }
}

try {
  process.stdout.write(`${await run(...(process.argv.slice(2) as [string?, string?]))}\n`);
} catch (error) {
  const known = [TransferRefused, BadConfig, DifferentDatabases, FolderInUse, NotIsolated, UnknownSchema].some(
    kind => error instanceof kind,
  );
  const system = error instanceof Error && 'code' in error;
  if (!known && !system) throw error;
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
