import type { Base } from '../../client/checklist.ts';
import { createStore, type Store } from '../../client/store.ts';

export type SaveState = 'saved' | 'saving' | 'waiting' | 'unsaved';

export interface SavingOptions<Answer extends { base: Base }> {
  base: Base;
  /** The text in the editor now. */
  text(): string;
  /** Stores a text that was typed over a base; answers with what is stored then, which may hold others' edits too. */
  send(text: string, base: Base): Promise<Answer>;
  /** Lets a stored text into the editor. Resolves when it is in. */
  enter(arrival: { base: string; text: string }): Promise<void>;
  /** Keeps an unsaved text in the browser, or forgets it when there is none. */
  keep(text: string | undefined, base: Base): void;
  stored(answer: Answer): void;
  /** Answers whether sending again may help, so that it is done. */
  failed(error: unknown): boolean;
}

export interface Saving extends Store<SaveState> {
  /** Stores the text as it is now; while another saving is under way, after that. Answers whether all of it is stored. */
  save(): Promise<boolean>;
  /** The text in the editor has changed. */
  edited(): void;
  /** Somebody else's change, as it was read from the tracker. */
  arrived(base: Base): Promise<void>;
  base(): Base;
  dirty(): boolean;
  /** Keeps a draft that waits to be kept now, as the page may go. */
  flush(): void;
  /** Forgets the unsaved text for good. */
  discard(): void;
  /** Ends with the editor. */
  stop(): void;
}

/** Milliseconds after the last key until the draft is kept. */
const DRAFT_DELAY = 500;
/** Milliseconds until a failed saving is tried again; doubled each time up to the longest. */
const FIRST_RETRY = 5_000;
const LONGEST_RETRY = 60_000;

/**
 * The saving of one open text: one request at a time, each over the base that the last one answered with. What fails
 * stays in the editor and in the draft; what did not reach the server or the tracker is sent again by itself.
 */
export function createSaving<Answer extends { base: Base }>(options: SavingOptions<Answer>): Saving {
  let base = options.base;
  const dirty = () => options.text() !== base.text;
  const store = createStore<SaveState>(dirty() ? 'unsaved' : 'saved');
  let running: Promise<boolean> | undefined;
  let again = false;
  let waits = false;
  let discarded = false;
  let delay = FIRST_RETRY;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let draft: ReturnType<typeof setTimeout> | undefined;

  const settle = () => {
    if (running !== undefined) return;
    if (!dirty()) store.set('saved');
    else store.set(waits ? 'waiting' : 'unsaved');
  };
  const keepNow = () => {
    clearTimeout(draft);
    draft = undefined;
    if (!discarded) options.keep(dirty() ? options.text() : undefined, base);
  };

  const flush = () => {
    if (draft !== undefined) keepNow();
  };

  /** One request. Answers whether it was stored. */
  const attempt = async (): Promise<boolean> => {
    const sent = options.text();
    try {
      const answer = await options.send(sent, base);
      // The base moves only when the text is in: what is sent next must not undo what it brings.
      await options.enter({ base: sent, text: answer.base.text });
      base = answer.base;
      waits = false;
      delay = FIRST_RETRY;
      keepNow();
      options.stored(answer);
      return true;
    } catch (error) {
      keepNow();
      waits = options.failed(error);
      if (waits) {
        retry = setTimeout(() => void save(), delay);
        delay = Math.min(2 * delay, LONGEST_RETRY);
      }
      return false;
    }
  };

  const run = async (): Promise<boolean> => {
    do {
      again = false;
      if (dirty() && !(await attempt())) return false;
    } while (again);
    return !dirty();
  };

  const save = (): Promise<boolean> => {
    clearTimeout(retry);
    if (running !== undefined) {
      again = true;
      return running;
    }
    store.set('saving');
    running = run().finally(() => {
      running = undefined;
      settle();
    });
    return running;
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    save,
    edited: () => {
      settle();
      clearTimeout(draft);
      draft = setTimeout(keepNow, DRAFT_DELAY);
    },
    arrived: async arrival => {
      const older = arrival.epoch !== '' && arrival.epoch === base.epoch && arrival.seq <= base.seq;
      if (running !== undefined || discarded || older || arrival.text === base.text) return;
      const before = base;
      await options.enter({ base: before.text, text: arrival.text });
      if (base === before && running === undefined) base = arrival;
      settle();
    },
    base: () => base,
    dirty,
    flush,
    discard: () => {
      discarded = true;
      clearTimeout(retry);
      clearTimeout(draft);
      options.keep(undefined, base);
      store.set('saved');
    },
    stop: () => {
      clearTimeout(retry);
      flush();
    },
  };
}
