import type { HostBridge } from '../../bridge/bridge.ts';
import { backoff, createTimer, jittered, sleep } from '../../domain/timing.ts';
import type { SessionStore } from '../session.ts';
import { createEventReader, type LiveEvent } from './events.ts';

/** The shown issues, the issues open for editing, and whether assigned items are shown. */
export interface Watched {
  issues: string[];
  editing: string[];
  assigned: boolean;
}

export interface StreamServices {
  bridge: HostBridge;
  session: SessionStore;
}

/** The stream is idle after this time: the server pings every 20 seconds. */
const SILENCE_TIMEOUT_MS = 45_000;
const FIRST_PAUSE_MS = 1_000;
/** By which the server knows the person's day. */
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const MAX_PAUSE_MS = 30_000;

/**
 * Keeps an event stream open until the returned function is called: after a regular end it is opened again after a
 * short pause, after failures with backoff. `lost` is called whenever it ends.
 */
export function keepStream(
  { bridge, session }: StreamServices,
  watched: Watched,
  listener: (event: LiveEvent) => void,
  lost: () => void,
): () => void {
  const stopped = new AbortController();
  let failures = 0;

  /** Runs one stream from start to end. Resolves with its status. */
  const once = async (token: string): Promise<number> => {
    const ended = new AbortController();
    const silence = createTimer(() => ended.abort());
    silence.start(SILENCE_TIMEOUT_MS);
    const readEvents = createEventReader(event => {
      if (event.kind === 'open') failures = 0;
      listener(event);
    });
    const alive = (text: string) => {
      silence.start(SILENCE_TIMEOUT_MS);
      readEvents(text);
    };
    const headers = { authorization: `JWT ${token}` };
    const signal = AbortSignal.any([stopped.signal, ended.signal]);
    try {
      return (await bridge.stream?.('/api/live', { json: { ...watched, zone }, headers, signal }, alive)) ?? 0;
    } finally {
      silence.stop();
    }
  };

  const attempt = async (): Promise<boolean> => {
    try {
      const token = await session.token();
      const status = await once(token);
      if (status === 401) await session.renew(token);
      return status === 200;
    } catch {
      // Any failure is retried after the backoff.
      return false;
    }
  };

  const keep = async () => {
    while (!stopped.signal.aborted) {
      const good = await attempt();
      if (stopped.signal.aborted) return;
      lost();
      await sleep(jittered(good ? FIRST_PAUSE_MS : backoff(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS)));
      if (!good) failures += 1;
    }
  };
  void keep();
  return () => stopped.abort();
}
