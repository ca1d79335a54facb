import type { CompletionContext } from '@codemirror/autocomplete';
import { complete as words } from '../../domain/messages.ts';
import { keepNewest, sleep, untilAborted } from '../../domain/timing.ts';
import type { Provider } from '../provider.ts';
import { showHint } from './hint.ts';
import type { Trigger } from './trigger.ts';

/** Milliseconds to wait for another key before a request. */
const DEBOUNCE = 150;
/** Milliseconds until "loading" is shown, and until a request times out. */
const SLOW = 400;
const LIMIT = 10_000;
/** The maximum number of cached answers, and their lifetime in milliseconds. */
const CACHE_SIZE = 100;
const CACHE_TIME = 300_000;

/** A remote lookup. */
export interface Lookup<T> {
  ask(provider: Provider, query: string, signal: AbortSignal): Promise<readonly T[]>;
  /** Shown when the request fails. */
  failed: string;
}

interface Answer<T> {
  time: number;
  found: readonly T[];
}

class Aborted extends Error {}
class TimedOut extends Error {}

/**
 * Debounces a lookup, aborts it when typing continues and caches its answers. Returns `undefined` when aborted, failed
 * or timed out, the latter two with a status line.
 */
export function lookup<T>({ ask, failed }: Lookup<T>) {
  const kept = new WeakMap<Provider, Map<string, Answer<T>>>();

  const known = (provider: Provider, query: string): readonly T[] | undefined => {
    const answer = kept.get(provider)?.get(query);
    return answer && Date.now() - answer.time < CACHE_TIME ? answer.found : undefined;
  };

  const keep = (provider: Provider, query: string, found: readonly T[]): void => {
    const answers = kept.get(provider) ?? new Map<string, Answer<T>>();
    kept.set(provider, answers);
    answers.delete(query);
    answers.set(query, { time: Date.now(), found });
    keepNewest(answers, CACHE_SIZE);
  };

  return async (
    provider: Provider,
    context: CompletionContext,
    { from, query }: Trigger,
    expression: RegExp,
  ): Promise<readonly T[] | undefined> => {
    const before = known(provider, query);
    if (before) return before;
    const control = new AbortController();
    context.addEventListener('abort', () => control.abort(new Aborted()), { onDocChange: true });
    const timers = [
      setTimeout(() => showHint(context, from, expression, words.searching), DEBOUNCE + SLOW),
      setTimeout(() => control.abort(new TimedOut()), DEBOUNCE + LIMIT),
    ];
    try {
      await sleep(DEBOUNCE, control.signal);
      const found = await untilAborted(
        Promise.resolve().then(() => ask(provider, query, control.signal)),
        control.signal,
      );
      keep(provider, query, found);
      return found;
    } catch (failure) {
      if (!(failure instanceof Aborted)) showHint(context, from, expression, failed, true);
      return undefined;
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  };
}
