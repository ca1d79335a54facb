import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { BadConfig, openVault, readConfig, storeOf } from '../app/config/config.ts';
import { StoreUnavailable } from '../errors/unavailable.ts';
import { isRefusal, openReachable } from '../store/reachable.ts';
import { assertKey, WrongKey } from '../store/sealed.ts';
import type { Store } from '../store/store.ts';
import { exportStore, importStore, OtherVersion, TransferRefused } from '../store/transfer.ts';
import type { Vault } from '../store/vault.ts';

const usage = `Usage: node dist/server/transfer.js export FILE
       node dist/server/transfer.js import FILE

Moves everything that a server has stored, with the settings of the server: from the embedded database (DATA_DIR) to
PostgreSQL (DATABASE_URL), back, or to another server. Stop the server first. The file holds checklists: keep it safe.
`;

/** Exit codes: the file or the call is refused, the settings cannot work, the database is away. */
const EXIT_REFUSED = 2;
const EX_CONFIG = 78;
const EX_UNAVAILABLE = 69;

/** Rejects with `TransferRefused` if the file cannot be written to its end, as on a full disk; then it is deleted. */
async function write(store: Store, file: string): Promise<number> {
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await once(out, 'open');
  let failure: Error | undefined;
  out.on('error', error => {
    failure = error;
  });
  try {
    const count = await exportStore(store, async line => {
      if (failure) throw failure;
      if (!out.write(`${line}\n`)) await once(out, 'drain');
    });
    out.end();
    await finished(out);
    return count;
  } catch (error) {
    out.destroy();
    await rm(file, { force: true });
    // Within a transaction the failure of the file would pass as one of the database.
    throw failure ? new TransferRefused(`Nothing was written to ${file}: ${failure.message}.`) : error;
  }
}

/** A line is a row, with a few texts that are each as large as a property at most. */
const MAX_LINE_CHARS = 16_777_216;

/** The lines of a file. Unlike `node:readline`, at line feeds only: a text may have other separators of lines. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let unfinishedLine = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const [first = '', ...laterParts] = String(chunk).split('\n');
    unfinishedLine += first;
    if (unfinishedLine.length > MAX_LINE_CHARS)
      throw new TransferRefused('A line of the file is longer than an export writes.');
    for (const line of laterParts) {
      yield unfinishedLine;
      unfinishedLine = line;
    }
  }
  if (unfinishedLine !== '') yield unfinishedLine;
}

async function take(store: Store, vault: Vault, file: string): Promise<number> {
  const count = await importStore(store, () => linesOf(file));
  await assertKey(store, vault).catch(error => {
    throw error instanceof WrongKey
      ? new TransferRefused('ENCRYPTION_KEY is not the one that the tenants were stored with.')
      : error;
  });
  return count;
}

async function run(command: string | undefined, file: string | undefined): Promise<string> {
  if ((command !== 'export' && command !== 'import') || file === undefined) throw new TransferRefused(usage);
  const config = readConfig(process.env);
  const onError = (error: Error) => process.stderr.write(`${error.message}\n`);
  const store = await openReachable({ ...storeOf(config), onError });
  try {
    const vault = await openVault(config);
    const count = command === 'export' ? await write(store, file) : await take(store, vault, file);
    return `${count.toLocaleString('en')} rows ${command === 'export' ? 'written to' : 'taken from'} ${file}.`;
  } finally {
    await store.close();
  }
}

/**
 * The exit code of an error whose message is for the operator (sysexits.h): the database is away, or the settings or the
 * version cannot work. `undefined` for others, which are bugs.
 */
function codeOf(error: unknown): number | undefined {
  if (error instanceof StoreUnavailable) return EX_UNAVAILABLE;
  if (error instanceof OtherVersion || error instanceof BadConfig || isRefusal(error)) return EX_CONFIG;
  return error instanceof TransferRefused || (error instanceof Error && 'code' in error) ? EXIT_REFUSED : undefined;
}

try {
  process.stdout.write(`${await run(...(process.argv.slice(2) as [string?, string?]))}\n`);
} catch (error) {
  const code = codeOf(error);
  if (code === undefined) throw error;
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(code);
}
