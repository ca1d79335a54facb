/** An emoji of the data package, as far as it is used: https://emojibase.dev/docs/datasets */
export interface EmojiData {
  hexcode: string;
  unicode: string;
  /** Its place among all; the few parts that are no emoji of their own have none. */
  order?: number;
  tags?: readonly string[];
}

/** Shortcodes by hexcode, as one preset names them. */
export type Shortcodes = Readonly<Record<string, string | readonly string[]>>;

/** A shortcode as the grammar takes it, without colons. */
const shortcode = /^[a-z0-9_+-]+$/;
const word = /^[a-z0-9-]+$/;

/**
 * One line an emoji, in the keyboard's order: its glyph, its shortcodes and, behind `|`, words to search for. Where two
 * presets give one code to different emoji, the first preset decides.
 */
export function packEmoji(emoji: readonly EmojiData[], presets: readonly Shortcodes[]): string {
  const owners = new Map<string, string>();
  const codesOf = new Map<string, string[]>();
  for (const preset of presets) {
    for (const { hexcode } of emoji) {
      for (const code of [preset[hexcode] ?? []].flat()) {
        if (!shortcode.test(code) || owners.has(code)) continue;
        owners.set(code, hexcode);
        codesOf.set(hexcode, [...(codesOf.get(hexcode) ?? []), code]);
      }
    }
  }
  return [...emoji]
    .sort((one, other) => (one.order ?? Number.POSITIVE_INFINITY) - (other.order ?? Number.POSITIVE_INFINITY))
    .flatMap(({ hexcode, unicode, tags = [] }) => {
      const codes = codesOf.get(hexcode);
      if (!codes) return [];
      const words = tags.filter(tag => word.test(tag) && !codes.includes(tag));
      return `${[unicode, ...codes].join(' ')}${words.length > 0 ? `|${words.join(' ')}` : ''}`;
    })
    .join('\n');
}
