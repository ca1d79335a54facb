import type { RejectedChange } from '../../../client/changes.ts';
import type { Draft } from '../../../client/drafts.ts';
import type { Base } from '../../../client/reading.ts';
import { createStore, type Store } from '../../../client/store.ts';
import { merge } from '../../../text/merge.ts';

/** A text that was never saved, and what it was typed over. */
export type Unsaved = Pick<Draft, 'base' | 'text'>;

/** What the editor opens with: what shows, or an unsaved text of it. */
export interface InitialText {
  text: string;
  base: Base;
  /** The text is an unsaved one. */
  restored: boolean;
}

/** Unsaved texts go on where they were left, one on top of the other, and all on top of what others have stored since. */
export function initialTextOf(base: Base, unsaved: readonly Unsaved[]): InitialText {
  const text = unsaved.reduce((now, left) => merge(left.base.text, left.text, now).text, base.text);
  return { text, base, restored: text !== base.text };
}

/** A whole text that was refused after its editor had gone. */
export function offeredText({ change, base }: RejectedChange): Unsaved | undefined {
  return change.kind === 'updateChecklistFromText' ? { base, text: change.text } : undefined;
}

/** `saving`: on the way to the server, which may take long while that is away. */
export type TextState = 'saved' | 'saving' | 'unsaved';

export interface SavingOptions<Answer extends { base: Base }> {
  base: Base;
  /** The text in the editor now. */
  text(): string;
  /**
   * Stores a text that was typed over a base, and sends it as often as it takes; answers with what is stored then, which
   * may hold others' edits too. Rejects when it is refused.
   */
  send(text: string, base: Base): Promise<Answer>;
  /** Sends what waits to be sent again now. */
  hurry(): void;
  /** Lets a stored text into the editor, with what storing it led to, if it was this editor's. Resolves when it is in. */
  enter(arrival: { base: string; text: string }, answer?: Answer): Promise<void>;
  /** Keeps an unsaved text in the browser, or forgets it when there is none. */
  keep(text: string | undefined, base: Base): void;
  stored(answer: Answer): void;
  refused(error: unknown): void;
}

export interface Saving extends Store<TextState> {
  /** Stores the text as it is now; while another saving is under way, after that. Answers whether all of it is stored. */
  save(): Promise<boolean>;
  /** Hands over what is not on its way yet, for an editor that closes before the saving under way has ended. */
  handOver(): void;
  /** The text in the editor has changed. */
  edited(): void;
  /** The text as it shows elsewhere, with what others have changed. */
  arrived(base: Base): Promise<void>;
  base(): Base;
  /** Something is neither stored nor on its way. */
  unsent(): boolean;
  /** Keeps a draft that waits to be kept now, as the page may go. */
  flush(): void;
  /** Forgets the unsaved text for good. */
  discard(): void;
  /** Ends with the editor. */
  stop(): void;
}

/** Milliseconds after the last key until the draft is kept. */
const DRAFT_DELAY = 500;

/**
 * The saving of one open text: one request at a time, each over the base that the last one answered with. What is
 * refused stays in the editor and in the draft.
 */
export function createSaving<Answer extends { base: Base }>(options: SavingOptions<Answer>): Saving {
  let base = options.base;
  const dirty = () => options.text() !== base.text;
  const store = createStore<TextState>(dirty() ? 'unsaved' : 'saved');
  let running: Promise<boolean> | undefined;
  let sent: string | undefined;
  let again = false;
  let discarded = false;
  let draft: ReturnType<typeof setTimeout> | undefined;

  const settle = () => {
    if (running === undefined) store.set(dirty() ? 'unsaved' : 'saved');
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
    const text = options.text();
    sent = text;
    try {
      const answer = await options.send(text, base);
      // The base moves only when the text is in: what is sent next must not undo what it brings.
      await options.enter({ base: text, text: answer.base.text }, answer);
      base = answer.base;
      options.stored(answer);
      return true;
    } catch (error) {
      options.refused(error);
      return false;
    } finally {
      sent = undefined;
      keepNow();
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
    if (running !== undefined) {
      again = true;
      options.hurry();
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
    handOver: () => {
      again = false;
      const text = options.text();
      if (sent === undefined || text === sent) return;
      void options.send(text, { ...base, text: sent }).catch(() => undefined);
    },
    edited: () => {
      settle();
      clearTimeout(draft);
      draft = setTimeout(keepNow, DRAFT_DELAY);
    },
    arrived: async arrival => {
      const older = arrival.epoch !== '' && arrival.epoch === base.epoch && arrival.seq < base.seq;
      if (running !== undefined || discarded || older || arrival.text === base.text) return;
      const before = base;
      await options.enter({ base: before.text, text: arrival.text });
      if (base === before && running === undefined) base = arrival;
      settle();
    },
    base: () => base,
    unsent: () => options.text() !== (sent ?? base.text),
    flush,
    discard: () => {
      discarded = true;
      clearTimeout(draft);
      options.keep(undefined, base);
      store.set('saved');
    },
    stop: flush,
  };
}
