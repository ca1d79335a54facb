import { readChecklist } from '../../src/text/read.ts';
import { sourcesOf } from './rows.ts';
import type { Server } from './server.ts';
import { tokenOf, wordOf, wordsIn } from './words.ts';

/** The number of the first word that is typed: the others are in the text from the start. */
const FIRST_WORD = 100;

/** What became of each word: who typed it, who took it away before the eyes, of whom the history can tell. */
export function createLedger(server: Server) {
  let count = FIRST_WORD;
  const authors = new Map<string, number>();
  const removed = new Map<string, Set<string>>();
  const reported = new Set<string>();
  const everReported = new Set<string>();
  const reshaped = new Map<string, Set<number>>();
  /** The words of rows that were split or joined, each time. */
  const reshapes: (readonly string[])[] = [];
  const shortened = new Set<string>();
  let read = 0;

  const author = (word: string, person: number) => {
    authors.set(word, person);
    return word;
  };
  const remove = (window: string, words: readonly string[]) => {
    for (const word of words) removed.set(word, (removed.get(word) ?? new Set()).add(window));
  };

  /** Reads the new revisions. */
  const readHistory = () => {
    for (const { text, conflicts } of server.revisions.slice(read)) {
      for (const found of wordsIn(text)) reported.delete(found);
      for (const { mine, theirs } of conflicts)
        for (const found of wordsIn(`${mine} ${theirs}`)) {
          reported.add(found);
          everReported.add(found);
        }
    }
    read = server.revisions.length;
  };
  /** Whether the last that the history has of a word is a conflict, so that its author is notified. */
  const isReported = (word: string) => {
    readHistory();
    return reported.has(word);
  };
  /** Whether the history has a word in a conflict. */
  const wasReported = (word: string) => {
    readHistory();
    return everReported.has(word);
  };

  return {
    newWord: (person: number) => author(wordOf(++count), person),
    newToken: (person: number) => author(tokenOf(++count), person),
    authorOf: (word: string) => authors.get(word),
    /** Words that are in the text from the start. */
    known: (text: string) => {
      for (const word of wordsIn(text)) authors.set(word, -1);
    },
    words: () => [...authors.keys()],
    /** A person took words away from the text of a window that showed them. */
    remove,
    /** What a person's step did to the text of a window. */
    local: (window: string, before: string, after: string) => {
      const [was, is] = [wordsIn(before), wordsIn(after)];
      remove(
        window,
        was.filter(word => !is.includes(word)),
      );
      for (const word of is) if (!was.includes(word)) removed.get(word)?.delete(window);
    },
    /** A person split a row with these words, or joined it with another one. */
    reshape: (person: number, words: readonly string[]) => {
      reshapes.push(words);
      for (const word of words) reshaped.set(word, (reshaped.get(word) ?? new Set()).add(person));
    },
    isReshaped: (word: string) => reshaped.has(word),
    /** A person deleted a row with these words: perhaps a part of a row that the person split or joined. */
    deleteRow: (person: number, words: readonly string[]) => {
      for (const word of words) shortened.add(word);
      if (words.length > 0 && !words.some(word => reshaped.get(word)?.has(person))) return;
      for (const [word, people] of reshaped) if (people.has(person)) shortened.add(word);
    },
    /**
     * Where one user deletes a row, or a part of it, and another one splits, joins or rewords it, both is kept; also where
     * two users split or join one row at different places, and where a row is reworded that was joined or split in another
     * state, as an open choice left it.
     */
    mayDouble: (word: string, isOffered: boolean) => {
      // The word may have been new in the row, so that who split or joined it did not see it yet.
      const first = server.revisions.find(({ text }) => wordsIn(text).includes(word))?.text ?? '';
      const row = sourcesOf(readChecklist(first)).find(source => wordsIn(source).includes(word)) ?? '';
      const words = [word, ...wordsIn(row)];
      const people = new Set(words.flatMap(each => [...(reshaped.get(each) ?? [])])).size;
      const shared = reshapes.filter(all => all.some(each => words.includes(each)));
      const isShortened = [...words, ...shared.flat()].some(each => removed.has(each) || shortened.has(each));
      return people > 1 || (people > 0 && (isShortened || isOffered || wasReported(word)));
    },
    isRemoved: (word: string) => (removed.get(word)?.size ?? 0) > 0,
    /** The same although undo has brought it back since. */
    wasRemoved: (word: string) => removed.has(word),
    isReported,
    wasReported,
  };
}

export type Ledger = ReturnType<typeof createLedger>;
