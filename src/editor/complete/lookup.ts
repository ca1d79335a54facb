import type { CompletionContext } from '@codemirror/autocomplete';
import { complete as words } from '../../domain/messages.ts';
import type { Provider } from '../provider.ts';
import { say } from './hint.ts';
import type { Trigger } from './trigger.ts';

/** Milliseconds that a question waits for another key. */
const DEBOUNCE = 150;
/** Milliseconds after which it is said that an answer is awaited, and after which it is not awaited any more. */
const SLOW = 400;
const LIMIT = 10_000;
/** Answers that are kept, the latest ones, and for how long in milliseconds. */
const KEPT = 100;
const FRESH = 300_000;

/** A question that some provider answers from afar. */
export interface Question<T> {
  ask(provider: Provider, query: string, signal: AbortSignal): Promise<readonly T[]>;
  /** What it says when it cannot be asked. */
  failed: string;
}

interface Answer<T> {
  time: number;
  found: readonly T[];
}

class Aborted extends Error {}
class Late extends Error {}

/** Settles as the promise does, unless the signal comes first. */
function until<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds));

/**
 * Makes a question that is asked once typing pauses, given up as it goes on, and not repeated while an answer is fresh.
 * Answers `undefined` when there is none: it was given up, failed or hangs, the latter two with a line that says so.
 */
export function lookup<T>({ ask, failed }: Question<T>) {
  const kept = new WeakMap<Provider, Map<string, Answer<T>>>();

  const known = (provider: Provider, query: string): readonly T[] | undefined => {
    const answer = kept.get(provider)?.get(query);
    return answer && Date.now() - answer.time < FRESH ? answer.found : undefined;
  };

  const keep = (provider: Provider, query: string, found: readonly T[]): void => {
    const answers = kept.get(provider) ?? new Map<string, Answer<T>>();
    kept.set(provider, answers);
    answers.delete(query);
    answers.set(query, { time: Date.now(), found });
    for (const oldest of answers.keys()) {
      if (answers.size <= KEPT) break;
      answers.delete(oldest);
    }
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
      setTimeout(() => say(context, from, expression, words.searching), DEBOUNCE + SLOW),
      setTimeout(() => control.abort(new Late()), DEBOUNCE + LIMIT),
    ];
    try {
      await until(pause(DEBOUNCE), control.signal);
      const found = await until(
        Promise.resolve().then(() => ask(provider, query, control.signal)),
        control.signal,
      );
      keep(provider, query, found);
      return found;
    } catch (failure) {
      if (!(failure instanceof Aborted)) say(context, from, expression, failed, true);
      return undefined;
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  };
}
