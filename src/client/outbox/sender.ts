import { HostUnreachable } from '../../bridge/bridge.ts';
import { unreachable } from '../../domain/messages.ts';
import { backoff, jittered, withTimeout } from '../../domain/timing.ts';
import type { Page } from '../page.ts';
import { createStore, type Store } from '../store.ts';
import type { Box } from './box.ts';
import type { Entry, Result, Waiting } from './entry.ts';
import { failureKind, reasonOf } from './failure.ts';

/** Milliseconds until what did not arrive is sent again; doubled each time up to the longest. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
/** Milliseconds after which an answer is lost. */
const PATIENCE = 60_000;
/** How often an entry is sent whose failure nobody understands. */
const TRIES = 6;
/** Milliseconds after which what another frame has not sent is sent by this one. */
const ADOPTION = 5_000;

export interface SenderOptions {
  page: Page;
  box: Box;
  /** Does the work while no other frame sends. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** Sends an entry; rejects with the reason why it is not stored. */
  send(entry: Waiting): Promise<Result>;
  /** What an entry comes to that will not be stored. */
  refusal(entry: Waiting, error: unknown, unknown: boolean): Result;
  settle(entry: Entry): void;
}

/** `waiting`: what is to be sent did not arrive, and will be sent again. */
export interface Sender extends Store<'ready' | 'waiting'> {
  /** Why something waits, in words for people. */
  why(): string | undefined;
  /** Sends what there is, now. */
  wake(): void;
  /** Sends what there is, unless the frame that made it does. */
  adopt(): void;
  start(): () => void;
}

/** Sends the entries of a box one after the other, each when the one before is settled. */
export function createSender({ page: { window }, box, exclusively, send, refusal, settle }: SenderOptions): Sender {
  const state = createStore<'ready' | 'waiting'>('ready');
  const unknowns = new Map<string, number>();
  let running = false;
  let again = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let why: string | undefined;

  const later = (delay: number) => {
    clearTimeout(timer);
    timer = setTimeout(wake, delay);
  };

  /** What became of it; nothing where it has to be sent again. */
  const attempt = async (entry: Waiting): Promise<Result | undefined> => {
    try {
      return await withTimeout(send(entry), PATIENCE, () => new HostUnreachable(unreachable.server));
    } catch (error) {
      const failure = failureKind(error);
      const tries = (unknowns.get(entry.id) ?? 0) + 1;
      if (failure === 'unknown') unknowns.set(entry.id, tries);
      if (failure === 'later' || (failure === 'unknown' && tries < TRIES)) {
        why = reasonOf(error);
        return undefined;
      }
      unknowns.delete(entry.id);
      return refusal(entry, error, failure === 'unknown');
    }
  };

  const drain = async () => {
    for (let entry = box.next(); entry; entry = box.next()) {
      const result = await attempt(entry);
      if (!result) {
        state.set('waiting');
        later(jittered(backoff(failures, FIRST_PAUSE, LONGEST_PAUSE)));
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
    clearTimeout(timer);
    if (running) again = true;
    else if (box.next()) {
      running = true;
      again = false;
      void exclusively(drain).finally(() => {
        running = false;
        if (again) wake();
      });
    } else state.set('ready');
  };
  const seen = () => {
    if (document.visibilityState !== 'hidden') wake();
  };

  return {
    get: state.get,
    subscribe: state.subscribe,
    why: () => why,
    wake,
    adopt: () => {
      if (state.get() === 'ready') later(ADOPTION);
    },
    start: () => {
      window.addEventListener('online', wake);
      window.addEventListener('visibilitychange', seen);
      return () => {
        clearTimeout(timer);
        window.removeEventListener('online', wake);
        window.removeEventListener('visibilitychange', seen);
      };
    },
  };
}
