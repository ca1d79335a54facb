import type { CompletionContext } from '@codemirror/autocomplete';
import { complete as words } from '../../domain/messages.ts';
import { keepNewest, sleep, untilAborted } from '../../domain/timing.ts';
import type { Provider } from '../provider.ts';
import { showHint } from './hint.ts';
import type { Trigger } from './trigger.ts';

const DEBOUNCE_MS = 150;
/** "Loading" is shown after the first delay; a request fails after the second. */
const SLOW_AFTER_MS = 400;
const TIMEOUT_MS = 10_000;
const MAX_CACHED_ANSWERS = 100;
const CACHE_MS = 300_000;

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
  const answersOfProvider = new WeakMap<Provider, Map<string, Answer<T>>>();

  const cachedAnswer = (provider: Provider, query: string): readonly T[] | undefined => {
    const answer = answersOfProvider.get(provider)?.get(query);
    return answer && Date.now() - answer.time < CACHE_MS ? answer.found : undefined;
  };

  const keep = (provider: Provider, query: string, found: readonly T[]): void => {
    const answers = answersOfProvider.get(provider) ?? new Map<string, Answer<T>>();
    answersOfProvider.set(provider, answers);
    answers.delete(query);
    answers.set(query, { time: Date.now(), found });
    keepNewest(answers, MAX_CACHED_ANSWERS);
  };

  return async (
    provider: Provider,
    context: CompletionContext,
    { from, query }: Trigger,
    expression: RegExp,
  ): Promise<readonly T[] | undefined> => {
    const before = cachedAnswer(provider, query);
    if (before) return before;
    const control = new AbortController();
    context.addEventListener('abort', () => control.abort(new Aborted()), { onDocChange: true });
    const timers = [
      setTimeout(() => showHint(context, from, expression, words.searching), DEBOUNCE_MS + SLOW_AFTER_MS),
      setTimeout(() => control.abort(new TimedOut()), DEBOUNCE_MS + TIMEOUT_MS),
    ];
    try {
      await sleep(DEBOUNCE_MS, control.signal);
      const answer = await untilAborted(
        Promise.resolve().then(() => ask(provider, query, control.signal)),
        control.signal,
      );
      keep(provider, query, answer);
      return answer;
    } catch (failure) {
      if (!(failure instanceof Aborted)) showHint(context, from, expression, failed, true);
      return undefined;
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  };
}
