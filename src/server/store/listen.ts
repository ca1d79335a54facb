import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { sleep, untilAborted, withTimeout } from '../../domain/timing.ts';

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
export const APPLICATION_NAME = 'checklist';

/** Times of the connection that listens, in milliseconds. */
export interface ListenTimes {
  /** Between an answer and the next heartbeat. */
  heartbeat: number;
  /** Longest wait for an answer. */
  answerTimeout: number;
  connectTimeout: number;
  /** Before a lost connection is replaced. */
  reconnect: number;
}

/** A frozen connection is noticed and replaced within ten seconds. */
export const usualTimes: ListenTimes = {
  heartbeat: 3_000,
  answerTimeout: 4_000,
  connectTimeout: 5_000,
  reconnect: 500,
};

export interface ListenOptions {
  onError(error: Error): void;
  /** Called when the connection has left a heartbeat without an answer: others to the same database may be frozen too. */
  onSilence?(): void;
  times?: Partial<ListenTimes>;
}

export const listenEmbedded =
  (pglite: PGlite): Listen =>
  (channel, listener) =>
    pglite.listen(channel, listener);

/** Listens on a dedicated connection. A heartbeat detects a broken or frozen one, which is replaced. */
export const listenPostgres =
  (connectionString: string, { onError, onSilence, times: given }: ListenOptions): Listen =>
  async (channel, listener, gap) => {
    const times = { ...usualTimes, ...given };
    const stopped = new AbortController();
    /** Resolves once the connection has ended or is silent, or listening has stopped. */
    const broken = async (client: pg.Client) => {
      const ended = new AbortController();
      client.once('end', () => ended.abort());
      const over = AbortSignal.any([stopped.signal, ended.signal]);
      const beat = async () => {
        for (;;) {
          await sleep(times.heartbeat, over);
          await untilAborted(client.query('select 1'), over);
        }
      };
      await beat().catch(error => {
        if (over.aborted) return;
        onSilence?.();
        throw error;
      });
    };

    const listenOnce = async (listening: () => void): Promise<void> => {
      const client = new pg.Client({
        connectionString,
        application_name: APPLICATION_NAME,
        connectionTimeoutMillis: times.connectTimeout,
        query_timeout: times.answerTimeout,
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
        // A frozen connection does not answer its end.
        await withTimeout(client.end(), times.answerTimeout, () => new Error('The connection did not end.')).catch(
          onError,
        );
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
        if (!stopped.signal.aborted) await sleep(times.reconnect);
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
