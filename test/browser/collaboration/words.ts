/** Words that stand nowhere else: each belongs to the window in which it was typed. */

export interface Word {
  readonly text: string;
  readonly window: string;
  readonly user: string;
  readonly step: number;
  /** The last step at which the stored text had it. */
  storedAt: number;
  /** The user's own action that removed it: a deletion, an undo or a choice. */
  removal?: string;
}

const consonants = 'bdfgklmnprstvz';
const vowels = 'aeiou';

/** A number as syllables. */
function syllables(value: number, count: number): string {
  if (count === 0) return '';
  const size = consonants.length * vowels.length;
  const at = value % size;
  const syllable = `${consonants[Math.floor(at / vowels.length)]}${vowels[at % vowels.length]}`;
  return syllables(Math.floor(value / size), count - 1) + syllable;
}

/** What stands between blanks and signs. */
export const partsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

export class Words {
  private readonly all = new Map<string, Word>();
  /** The words of the stored text. */
  private latest: ReadonlySet<string> = new Set();

  /** A new word; each third one has a number in it, as users' words have at times. */
  create({ name, user }: { name: string; user: string }, step: number): string {
    const index = this.all.size;
    const text = index % 3 === 2 ? `w${index}${syllables(index * 37, 1)}` : syllables(index * 997 + 7, 3);
    this.enter({ text, window: name, user, step, storedAt: step });
    return text;
  }

  enter(word: Word): void {
    if (this.all.has(word.text)) throw new RangeError(`${word.text} is there already.`);
    this.all.set(word.text, word);
  }

  /** The known words of a text, in its order. */
  in(text: string): string[] {
    return partsOf(text).filter(part => this.all.has(part));
  }

  get(text: string): Word | undefined {
    return this.all.get(text);
  }

  list(): readonly Word[] {
    return [...this.all.values()];
  }

  /** Marks words as removed by a user who saw them. */
  remove(texts: readonly string[], removal: string): void {
    for (const text of texts) {
      const word = this.all.get(text);
      if (word) word.removal ??= removal;
    }
  }

  /** Enters what is stored at a step. Returns the words that were stored at the previous read and are no more. */
  stored(text: string, step: number): string[] {
    const now = new Set(this.in(text));
    for (const part of now) {
      const word = this.all.get(part);
      if (word) word.storedAt = step;
    }
    const gone = [...this.latest].filter(word => !now.has(word));
    this.latest = now;
    return gone;
  }

  /** Words that stand in two rows, or twice in one, each with the rows that have it. */
  doubled(rows: readonly string[]): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const row of rows) for (const word of this.in(row)) found.set(word, [...(found.get(word) ?? []), row]);
    return new Map([...found].filter(([, rows]) => rows.length > 1));
  }
}
