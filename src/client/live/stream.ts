import type { HostBridge } from '../../bridge/bridge.ts';
import { backoff, jittered, sleep } from '../../domain/timing.ts';
import type { SessionStore } from '../session.ts';
import { createEventReader, type LiveEvent } from './events.ts';

/** The issues that are shown, those of them whose text is edited, and whether the account's own items are. */
export interface Watched {
  issues: string[];
  editing: string[];
  assigned: boolean;
}

export interface StreamServices {
  bridge: HostBridge;
  session: SessionStore;
}

/** Milliseconds. The server pings every 20 seconds: a stream that is silent for longer is dead. */
const SILENCE = 45_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * Keeps a stream of events open until the returned function is called: one that ends is opened again, at once when it
 * ended well, later and later when it did not. `hear` is told `open` whenever it stands, `lost` whenever it does not.
 */
export function keepStream(
  { bridge, session }: StreamServices,
  watched: Watched,
  hear: (event: LiveEvent) => void,
  lost: () => void,
): () => void {
  const stopped = new AbortController();
  let failures = 0;

  /** One stream from its start to its end. Answers with the status. */
  const once = async (token: string): Promise<number> => {
    const ended = new AbortController();
    const end = () => ended.abort();
    let silence = setTimeout(end, SILENCE);
    const read = createEventReader(event => {
      if (event.kind === 'open') failures = 0;
      hear(event);
    });
    const alive = (text: string) => {
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE);
      read(text);
    };
    const headers = { authorization: `JWT ${token}` };
    const signal = AbortSignal.any([stopped.signal, ended.signal]);
    try {
      return (await bridge.stream?.('/api/live', { json: watched, headers, signal }, alive)) ?? 0;
    } finally {
      clearTimeout(silence);
    }
  };

  const attempt = async (): Promise<boolean> => {
    try {
      const token = await session.token();
      const status = await once(token);
      if (status === 401) await session.renew(token);
      return status === 200;
    } catch {
      // Not there, or not any more: the pause is the answer to all of it.
      return false;
    }
  };

  const keep = async () => {
    while (!stopped.signal.aborted) {
      const good = await attempt();
      if (stopped.signal.aborted) return;
      lost();
      await sleep(jittered(good ? FIRST_PAUSE : backoff(failures, FIRST_PAUSE, LONGEST_PAUSE)));
      if (!good) failures += 1;
    }
  };
  void keep();
  return () => stopped.abort();
}
