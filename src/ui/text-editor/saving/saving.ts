import type { RejectedChange } from '../../../client/changes.ts';
import { DRAFT_DELAY } from '../../../client/drafts.ts';
import type { Base } from '../../../client/reading.ts';
import { createStore, type Store } from '../../../client/store.ts';
import { createTimer } from '../../../domain/timing.ts';
import type { RemoteChange } from '../../../editor/index.ts';
import type { Content, Unsaved } from './open-text.ts';

/** The text of a rejected whole-text change, for the next editor to restore. */
export function offeredText({ change, base }: RejectedChange): Unsaved | undefined {
  if (change.kind !== 'updateChecklistFromText') return undefined;
  const { text, rows, undecided } = change;
  return { base, text, ...(rows && { rows }), ...(undecided && { undecided: [...undecided] }) };
}

const versionOf = ({ text, rows }: Pick<Base, 'text' | 'rows'>) => ({ text, rows });

/** `saving`: being sent to the server, including retries while it is unavailable. */
export type TextState = 'saved' | 'saving' | 'unsaved';

export interface SavingOptions<Answer extends { base: Base }> {
  base: Base;
  /** The editor's current text. */
  text(): string;
  /** The current text with what is known of its rows, to be stored over a base. */
  content(base: Base): Content;
  /** The ids that the rows of the current text have in this page, where the lasting ones are not known, too. */
  rowIds(): readonly string[];
  /**
   * Stores a text that was edited over a base, with retries. Resolves with the stored text, which may contain changes
   * by other users; rejects when the server rejects it.
   */
  send(content: Content, base: Base): Promise<Answer>;
  /** The question to the user that a text needs before it is stored; it is sent only if that resolves to `true`. */
  question?(text: string, base: Base): (() => Promise<boolean>) | undefined;
  /** Sends pending changes now. */
  sendNow(): void;
  /**
   * Merges a stored text into the editor, with the outcome if this editor stored it. `take` gives the text when it can be
   * applied, if it still applies; it must be applied at once then. Resolves when that is done.
   */
  receive(take: () => RemoteChange | undefined, answer?: Answer): Promise<void>;
  /** Stores an unsaved text as a draft in the browser; removes the draft without one. */
  keepDraft(content: (Content & Pick<Unsaved, 'sent'>) | undefined, base: Base): void;
  stored(answer: Answer): void;
  refused(error: unknown): void;
}

export interface Saving extends Store<TextState> {
  /** Stores the current text, after a running save if there is one. Resolves to whether all of it is stored. */
  save(): Promise<boolean>;
  /** Sends the edits that are not sent yet, for an editor that closes during a save. */
  handOver(): void;
  /** Reports an edit. */
  edited(): void;
  /**
   * Merges the current stored text, with changes by other users. `isFirst`: it is the server's first answer, in place of the
   * tracker's copy.
   */
  rebase(base: Base, isFirst?: boolean): Promise<void>;
  base(): Base;
  /** Whether there are edits that are neither stored nor sent. */
  unsent(): boolean;
  /** Writes a debounced draft now, since the page or the editor may close. */
  flush(): void;
  /** Deletes the unsaved text. */
  discard(): void;
}

/**
 * Saves one open text: one request at a time, each over the base of the last answer. A rejected text stays in the
 * editor and in the draft.
 */
export function createSaving<Answer extends { base: Base }>(options: SavingOptions<Answer>): Saving {
  let base = options.base;
  let sent: Content | undefined;
  const dirty = () => options.text() !== base.text;
  const unsent = () => options.text() !== (sent?.text ?? base.text);
  const store = createStore<TextState>(dirty() ? 'unsaved' : 'saved');
  let running: Promise<boolean> | undefined;
  let again = false;
  /** The version that was loaded during a save, and its place among all that were loaded. */
  let missed: { arrival: Base; place: number } | undefined;
  /** How many versions were loaded, and the place of the last one that was merged. */
  let [loaded, merged] = [0, 0];
  let discarded = false;

  const settle = () => {
    if (running === undefined) store.set(dirty() ? 'unsaved' : 'saved');
  };
  const keepNow = () => {
    draft.stop();
    if (discarded) return;
    const content = dirty() || unsent() ? options.content(base) : undefined;
    options.keepDraft(content && { ...content, ...(sent && { sent: versionOf(sent) }) }, base);
  };

  const draft = createTimer(keepNow);

  const flush = () => {
    if (draft.isPending()) keepNow();
  };

  /** Sends one request. Resolves to whether it was stored. */
  const attempt = async (): Promise<boolean> => {
    const ask = options.question?.(options.text(), base);
    if (ask) {
      keepNow();
      store.set('unsaved');
      if (!(await ask())) return false;
      store.set('saving');
    }
    const content = options.content(base);
    const rows = options.rowIds();
    sent = content;
    keepNow();
    const before = base;
    try {
      const answer = await options.send(content, base);
      await options.receive(() => {
        // The base changes with the text: otherwise the next save would revert what the answer contains.
        base = answer.base;
        return { base: { text: content.text, rows }, ...versionOf(answer.base), isAnswer: true };
      }, answer);
      options.stored(answer);
      return true;
    } catch (error) {
      // An answer that could not be shown is no base of the text.
      base = before;
      options.refused(error);
      return false;
    } finally {
      if (sent === content) sent = undefined;
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

  const isNews = ({ epoch, seq, text, rows }: Base) =>
    !(epoch !== '' && epoch === base.epoch && seq < base.seq) &&
    (text !== base.text || (rows !== undefined && base.rows?.every(Boolean) !== true));

  const rebase = async (arrival: Base, isFirst = false, place = ++loaded): Promise<void> => {
    if (discarded) return;
    const before = base;
    try {
      await options.receive(() => {
        // The answer to a save is the next base.
        if (running !== undefined) missed = { arrival, place };
        // Own changes that are not acknowledged yet have no number: of two such versions the one that was loaded first is older.
        if (running !== undefined || discarded || place < merged || !isNews(arrival)) return undefined;
        merged = place;
        const from = versionOf(base);
        // A user who has typed already has seen the older text for a while.
        const isUnseen = isFirst && !dirty();
        base = arrival;
        return { base: from, ...versionOf(arrival), isFirst: isUnseen };
      });
    } catch (error) {
      // A version that could not be shown is no base of the text: the next save meets it as another user's change.
      if (base === arrival) base = before;
      throw error;
    }
    settle();
  };

  /** Merges what was loaded during a save, where the answer is older than that. */
  const rebaseMissed = () => {
    const { arrival, place } = missed ?? {};
    missed = undefined;
    if (arrival && arrival.epoch === base.epoch && arrival.seq > base.seq) void rebase(arrival, false, place);
  };

  const save = (): Promise<boolean> => {
    if (running !== undefined) {
      again = true;
      options.sendNow();
      return running;
    }
    store.set('saving');
    running = run().finally(() => {
      running = undefined;
      settle();
      rebaseMissed();
    });
    return running;
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    save,
    handOver: () => {
      again = false;
      if (sent === undefined || options.text() === sent.text) return;
      const over = { ...base, ...versionOf(sent) };
      // The conflicts are recorded with what was sent.
      const { undecided: _, ...content } = options.content(over);
      // The draft says that it is sent: the next editor finds it in the stored text.
      sent = content;
      keepNow();
      void options.send(content, over).catch(() => undefined);
    },
    edited: () => {
      settle();
      // Not started anew by each key: edits without a pause are stored too.
      if (!draft.isPending()) draft.start(DRAFT_DELAY);
    },
    rebase,
    base: () => base,
    unsent,
    flush,
    discard: () => {
      discarded = true;
      draft.stop();
      options.keepDraft(undefined, base);
      store.set('saved');
    },
  };
}
