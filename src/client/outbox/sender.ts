import { HostUnreachable } from '../../bridge/bridge.ts';
import { unreachable } from '../../domain/messages.ts';
import { backoff, createTimer, jittered, withTimeout } from '../../domain/timing.ts';
import { onReturn, type Page } from '../page.ts';
import { createStore, type Store } from '../store.ts';
import type { Entry, Result, Waiting } from './entry.ts';
import type { EntryStore } from './entry-store.ts';
import { failureKind, MAX_TRIES, reasonOf } from './failure.ts';

/** Backoff in milliseconds, doubled with each failure. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Another frame's entry is sent by this one after this time. */
const ADOPT_DELAY_MS = 5_000;

export interface SenderOptions {
  page: Page;
  entries: EntryStore;
  /** Runs work in mutual exclusion with other frames. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** Sends an entry; rejects with the reason for the failure. */
  send(entry: Waiting): Promise<Result>;
  /** The result of an entry that failed finally. */
  refusal(entry: Waiting, error: unknown): Result;
  settle(entry: Entry): void;
}

/** `waiting`: the last attempt failed and will be repeated. */
export interface Sender extends Store<'ready' | 'waiting'> {
  /** Why entries wait, as a message for the user. */
  why(): string | undefined;
  /** Sends pending entries now. */
  wake(): void;
  /** Sends pending entries after a pause, unless their frame does. */
  adopt(): void;
  start(): () => void;
}

/** Sends entries one after the other, each after the previous one's result. */
export function createSender({ page: { window }, entries, exclusively, send, refusal, settle }: SenderOptions): Sender {
  const state = createStore<'ready' | 'waiting'>('ready');
  const unknowns = new Map<string, number>();
  let running = false;
  let again = false;
  let failures = 0;
  const timer = createTimer(() => wake());
  let why: string | undefined;

  /** The entry's result; `undefined` if it has to be sent again. */
  const attempt = async (entry: Waiting): Promise<Result | undefined> => {
    try {
      return await withTimeout(send(entry), REQUEST_TIMEOUT_MS, () => new HostUnreachable(unreachable.server));
    } catch (error) {
      const failure = failureKind(error);
      const tries = (unknowns.get(entry.id) ?? 0) + 1;
      if (failure === 'unknown') unknowns.set(entry.id, tries);
      if (failure === 'later' || (failure === 'unknown' && tries < MAX_TRIES)) {
        why = reasonOf(error);
        return undefined;
      }
      unknowns.delete(entry.id);
      return refusal(entry, error);
    }
  };

  const drain = async () => {
    for (let entry = entries.next(); entry; entry = entries.next()) {
      const result = await attempt(entry);
      if (!result) {
        state.set('waiting');
        timer.start(jittered(backoff(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS)));
        failures += 1;
        return;
      }
      failures = 0;
      why = undefined;
      state.set('ready');
      settle({ ...entry, result });
    }
  };

  const wake = () => {
    timer.stop();
    if (running) again = true;
    else if (entries.next()) {
      running = true;
      again = false;
      void exclusively(drain).finally(() => {
        running = false;
        if (again) wake();
      });
    } else state.set('ready');
  };

  return {
    get: state.get,
    subscribe: state.subscribe,
    why: () => why,
    wake,
    adopt: () => {
      if (state.get() === 'ready') timer.start(ADOPT_DELAY_MS);
    },
    start: () => {
      const stopReturn = onReturn(wake, window);
      return () => {
        timer.stop();
        stopReturn();
      };
    },
  };
}
