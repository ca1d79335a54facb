import type { Logger } from 'pino';
import { sleep } from '../../domain/timing.ts';
import { isTransient, StoreUnavailable } from '../errors/unavailable.ts';
import { FolderInUse } from './folder.ts';
import { UnknownSchema } from './migrate.ts';
import { DifferentDatabases, NoNotifications, openStore, type StoreOptions } from './open.ts';
import { WrongKey } from './sealed.ts';
import { NotIsolated, type Store } from './store.ts';

/** Thrown if the database refuses this user for good; the message is the database's. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

const refusals = [
  DatabaseRefused,
  DifferentDatabases,
  FolderInUse,
  NoNotifications,
  NotIsolated,
  UnknownSchema,
  WrongKey,
];

/** Whether a store will never open with these settings; the error's message is for the operator. */
export const isRefusal = (error: unknown): boolean => refusals.some(kind => error instanceof kind);

/** SQLSTATE: refused passwords and users (28), an unknown database, and missing rights. */
const refusal = /^(?:28...|3D000|42501)$/;

/** The client's error for an address without a password, where the database asks for one. */
const NO_PASSWORD = /client password must be a/;
const lacksPassword = (error: unknown): boolean =>
  error instanceof Error && (NO_PASSWORD.test(error.message) || lacksPassword(error.cause));

/** The pause between two attempts is doubled each time. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** If its file system fails, the embedded database throws a number, which has no message. */
const DISK_FAILURE = 'the disk is full, or its folder cannot be written';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Opens the store. Rejects with `DatabaseRefused` if the database answers that it will not have this user, or does not
 * open for another reason than that it is away, such as a folder that cannot be written.
 */
export async function openReachable(options: StoreOptions): Promise<Store> {
  try {
    return await openStore(options);
  } catch (error) {
    if (lacksPassword(error))
      throw new DatabaseRefused('The database asks for a password, and DATABASE_URL has none.', { cause: error });
    const cause = error instanceof StoreUnavailable ? error.cause : error;
    if (isRefusal(error) || (error instanceof StoreUnavailable && isTransient(cause))) throw error;
    const says = refusal.test(codeOf(cause)) ? 'The database refuses' : 'The database does not open';
    throw new DatabaseRefused(`${says}: ${error instanceof Error ? error.message : DISK_FAILURE}.`, { cause: error });
  }
}

/**
 * Opens the store, and waits for a database that does not answer yet, with a line in the log for each attempt. Rejects
 * with `DatabaseRefused` if the database answers that it will not have this user.
 */
export async function openWhenReachable(options: StoreOptions, log: Pick<Logger, 'warn'>): Promise<Store> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, 2 * pause)) {
    try {
      return await openReachable(options);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      log.warn({ reason: error.message, seconds: pause / 1000 }, 'waiting for the database');
      await sleep(pause);
    }
  }
}
