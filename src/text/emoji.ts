/** An emoji by one of its names. */
export interface Emoji {
  glyph: string;
  /** Without colons. */
  code: string;
}

/** The emoji that a shortcode may name. */
export interface EmojiTable {
  /** The emoji of a code without its colons; `undefined` if the code names none. */
  glyph(code: string): string | undefined;
  /** Emoji by a prefix of a name or keyword, best match first. An empty query matches nothing. */
  search(query: string, limit?: number): Emoji[];
}

interface Entry {
  glyph: string;
  codes: readonly string[];
  words: readonly string[];
}

/** Reads lines as `pack.ts` writes them. */
function entriesOf(packed: string): Entry[] {
  return packed.split('\n').map(line => {
    const [names = '', words = ''] = line.split('|');
    const [glyph = '', ...codes] = names.split(' ');
    return { glyph, codes, words: words === '' ? [] : words.split(' ') };
  });
}

/** Match rank of a code; lower is better. */
function rankOfCode(code: string, query: string): number | undefined {
  if (code === query) return 0;
  const at = code.indexOf(query);
  if (at < 0) return undefined;
  if (at === 0) return 1;
  return /[_-]$/.test(code.slice(0, at)) ? 2 : 5;
}

function rankOfWord(word: string, query: string): number | undefined {
  if (word === query) return 3;
  return word.startsWith(query) ? 4 : undefined;
}

interface Hit extends Emoji {
  rank: number;
}

/** The best of an entry's names for a query. An entry found by a word gets its first name. */
function hitOf({ glyph, codes, words }: Entry, query: string): Hit | undefined {
  let best: Hit | undefined;
  const offer = (code: string, rank: number | undefined) => {
    if (rank !== undefined && (!best || rank < best.rank)) best = { glyph, code, rank };
  };
  for (const code of codes) offer(code, rankOfCode(code, query));
  const [first] = codes;
  if (first !== undefined) for (const word of words) offer(first, rankOfWord(word, query));
  return best;
}

/** A table of packed lines. Letters' case makes no difference. */
export function emojiTable(packed: string): EmojiTable {
  const entries = entriesOf(packed);
  const glyphs = new Map(entries.flatMap(({ glyph, codes }) => codes.map(code => [code, glyph] as const)));
  return {
    glyph: code => glyphs.get(code.toLowerCase()),
    search: (query, limit = 50) => {
      const lowerQuery = query.toLowerCase();
      if (lowerQuery === '') return [];
      return entries
        .flatMap(entry => hitOf(entry, lowerQuery) ?? [])
        .sort((one, other) => one.rank - other.rank || one.code.length - other.code.length)
        .slice(0, limit)
        .map(({ glyph, code }) => ({ glyph, code }));
    },
  };
}

let loading: Promise<EmojiTable> | undefined;

/** Loads the emoji table on first use and caches it; a failed load is retried on the next call. */
export function loadEmoji(): Promise<EmojiTable> {
  loading ??= import('./emoji/packed.ts')
    .then(({ packed }) => emojiTable(packed))
    .catch((failure: unknown) => {
      loading = undefined;
      throw failure;
    });
  return loading;
}
