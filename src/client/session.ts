import * as v from 'valibot';
import { type HostBridge, HostUnreachable } from '../bridge/bridge.ts';
import { TOKEN_REFRESH_MS } from '../domain/constants.ts';
import { unreachable } from '../domain/messages.ts';
import { backoff, createTimer, jittered } from '../domain/timing.ts';
import { decodeSession, type SessionPayload } from '../domain/token.ts';
import { ServerError } from './errors.ts';
import { isVisible, onReturn } from './page.ts';
import { createStore, type Store } from './store.ts';

/** State of the session with our server. Token and payload of an earlier success survive failures. */
export interface Session {
  status: 'pending' | 'ok' | 'fail';
  /** A retry by the user is in progress. */
  retrying: boolean;
  token: string | undefined;
  payload: SessionPayload | undefined;
  /** The server denied access, or the token has expired. A network failure alone is neither. */
  unauthorized: boolean;
  /** Why the last fetch failed, as a message for the user, if the server did not deny access. */
  why: string | undefined;
}

export interface SessionStore extends Store<Session> {
  /** Fetches now and refreshes the token periodically. Returns the function that stops it. */
  start(): () => void;
  /** Retries at the user's request. */
  retry(): void;
  /** The token; pending during the first fetch. Rejects with the failure's reason. */
  token(): Promise<string>;
  /** Resolves with a newer token than the refused one; concurrent callers share one fetch. */
  renew(refused: string): Promise<string>;
}

/** A failed fetch is repeated after the first pause, which doubles each time up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

const answerShape = v.object({ token: v.string() });

/** Words for a failed status. `reasonOf` (outbox/failure.ts) has more, and is not in the first load. */
const wordsFor = (status: number): string =>
  status === 429 ? unreachable.busy : status > 501 ? unreachable.server : unreachable.broken;

/** Fetches our token in exchange for the tracker's. */
async function fetchToken(bridge: HostBridge): Promise<{ token: string; payload: SessionPayload }> {
  const answer = await bridge.signIn();
  if (answer.status < 200 || answer.status > 299) {
    throw new ServerError(answer.status, wordsFor(answer.status));
  }
  const { token } = v.parse(answerShape, JSON.parse(answer.text));
  return { token, payload: decodeSession(token) };
}

/** Words for a failed fetch. */
const whyOf = (error: unknown): string =>
  error instanceof HostUnreachable || error instanceof ServerError ? error.message : unreachable.broken;

const refused = (error: unknown) => error instanceof ServerError && (error.status === 401 || error.status === 403);
const ranOut = (payload: SessionPayload | undefined) => payload !== undefined && payload.exp * 1000 <= Date.now();

export function createSession(bridge: HostBridge): SessionStore {
  const store = createStore<Session>({
    status: 'pending',
    retrying: false,
    token: undefined,
    payload: undefined,
    unauthorized: false,
    why: undefined,
  });
  let failures = 0;
  let refreshing: Promise<string> | undefined;
  const timer = createTimer(() => void refresh().catch(() => undefined));
  let started = false;
  /** When the next fetch is due; milliseconds since the epoch, since timers stop while the computer sleeps. */
  let due = Number.POSITIVE_INFINITY;

  const schedule = (delay: number) => {
    due = Date.now() + delay;
    if (started) timer.start(delay);
  };

  const fetchOnce = async (): Promise<string> => {
    try {
      const { token, payload } = await fetchToken(bridge);
      const before = store.get().payload?.settings;
      // Equal settings keep their object identity, so that dependent queries are not repeated.
      if (before && JSON.stringify(before) === JSON.stringify(payload.settings)) payload.settings = before;
      failures = 0;
      store.set({ status: 'ok', retrying: false, token, payload, unauthorized: false, why: undefined });
      schedule(TOKEN_REFRESH_MS);
      return token;
    } catch (error) {
      const { token, payload } = store.get();
      const isRefused = refused(error);
      const why = isRefused ? undefined : whyOf(error);
      store.set({ status: 'fail', retrying: false, token, payload, unauthorized: isRefused || ranOut(payload), why });
      schedule(isRefused && !payload ? TOKEN_REFRESH_MS : jittered(backoff(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS)));
      failures += 1;
      throw error;
    }
  };

  const refresh = (): Promise<string> => {
    refreshing ??= fetchOnce().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };

  const wake = () => {
    if (!isVisible()) return;
    if (store.get().status === 'fail' || Date.now() >= due) void refresh().catch(() => undefined);
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    start: () => {
      started = true;
      const stopReturn = onReturn(wake);
      void refresh().catch(() => undefined);
      return () => {
        started = false;
        timer.stop();
        stopReturn();
      };
    },
    retry: () => {
      store.set({ ...store.get(), retrying: true });
      void refresh().catch(() => undefined);
    },
    token: async () => store.get().token ?? (await refresh()),
    renew: async refusedToken => {
      const { token } = store.get();
      return token !== undefined && token !== refusedToken ? token : await refresh();
    },
  };
}
