import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { sleep } from '../../domain/timing.ts';

/**
 * Subscribes to a channel's notifications (`pg_notify`) of all processes. Calls `gap` when some may have been missed.
 * Resolves once subscribed, with the function that unsubscribes.
 */
export type Listen = (
  channel: string,
  listener: (payload: string) => void,
  gap: () => void,
) => Promise<() => Promise<void>>;

/** How the database's activity and log name the connections of this program. */
export const APPLICATION = 'checklist';

/** Milliseconds. */
const RECONNECT = 500;
const CONNECT_TIMEOUT = 5_000;
const HEARTBEAT = 15_000;

export const listenEmbedded =
  (pglite: PGlite): Listen =>
  (channel, listener) =>
    pglite.listen(channel, listener);

/** Listens on a dedicated connection. A heartbeat detects a broken one, which is replaced. */
export const listenPostgres =
  (connectionString: string, onError: (error: Error) => void): Listen =>
  async (channel, listener, gap) => {
    const stopped = new AbortController();
    const broken = (client: pg.Client) =>
      new Promise<void>(resolve => {
        const end = () => {
          clearInterval(heartbeat);
          stopped.signal.removeEventListener('abort', end);
          resolve();
        };
        const heartbeat = setInterval(() => void client.query('select 1').catch(end), HEARTBEAT);
        client.once('end', end);
        stopped.signal.addEventListener('abort', end);
      });

    const listenOnce = async (listening: () => void): Promise<void> => {
      const client = new pg.Client({
        connectionString,
        application_name: APPLICATION,
        connectionTimeoutMillis: CONNECT_TIMEOUT,
        query_timeout: HEARTBEAT,
        keepAlive: true,
      });
      client.on('error', onError);
      client.on('notification', ({ payload = '' }) => listener(payload));
      try {
        await client.connect();
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        listening();
        if (!stopped.signal.aborted) await broken(client);
      } finally {
        await client.end().catch(onError);
      }
    };

    let again = false;
    /** Listens until stopped; calls `listening` after each connection. */
    const keepListening = async (listening: () => void): Promise<void> => {
      while (!stopped.signal.aborted) {
        try {
          await listenOnce(() => {
            if (again) gap();
            again = true;
            listening();
          });
        } catch (error) {
          onError(error instanceof Error ? error : new Error(String(error)));
        }
        if (!stopped.signal.aborted) await sleep(RECONNECT);
      }
    };
    let ended = Promise.resolve();
    await new Promise<void>(listening => {
      ended = keepListening(listening);
    });
    return async () => {
      stopped.abort();
      await ended;
    };
  };
