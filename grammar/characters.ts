/** UTF-16 unit at an offset from the current position; -1 beyond either end of the text. */
export interface Reader {
  peek(offset: number): number;
}

/** A blank, a tab or a no-break space, which pages and keyboards write for a blank. */
export const isBlank = (unit: number) => unit === 32 || unit === 9 || unit === 160;
export const isLineEnd = (unit: number) => unit === 10 || unit === 13 || unit === -1;
export const isSpace = (unit: number) => isBlank(unit) || isLineEnd(unit);
export const isDigit = (unit: number) => unit >= 48 && unit <= 57;
export const isUpper = (unit: number) => unit >= 65 && unit <= 90;
export const isAlphanumeric = (unit: number) => isDigit(unit) || isUpper(unit) || (unit >= 97 && unit <= 122);

/** A letter or digit of any script. */
export const isLetter = (unit: number) =>
  unit < 128 ? isAlphanumeric(unit) : /[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit));

/**
 * A letter or digit of a script that separates its words, or `_`. Thai, kana and Han do not, and in Hangul particles stand
 * directly behind any word.
 */
export const isWord = (unit: number) =>
  unit === 95 || (isLetter(unit) && !/[\u0e00-\u0e7f\u1100-\u11ff\u3005-\ud7ff]/.test(String.fromCharCode(unit)));

/** What a unit can begin. */
export const UnitClass = {
  /** Plain text. */
  plain: 0,
  /** A delimiter, a bracket, code, an emoji, a name or a header's mark. */
  special: 1,
  /** A date, a key or an address, if no word goes on here. */
  wordStart: 2,
  lineEnd: 3,
} as const;

const LOWER_H = 104;

/** By unit + 1; the first is the text's end. */
const classes = Uint8Array.from({ length: 129 }, (_, index) => {
  const unit = index - 1;
  if (isLineEnd(unit)) return UnitClass.lineEnd;
  if ('*_~`[]@:!'.includes(String.fromCharCode(unit))) return UnitClass.special;
  return isDigit(unit) || isUpper(unit) || unit === LOWER_H ? UnitClass.wordStart : UnitClass.plain;
});

/** The `UnitClass` of a unit. */
export const classOf = (unit: number) => (unit < 128 ? classes[unit + 1] : UnitClass.plain);

/** The offset of the first unit from `at` on that is no blank. */
export function skipBlanks(reader: Reader, at: number): number {
  let end = at;
  while (isBlank(reader.peek(end))) end++;
  return end;
}

/** How often the unit at `at` is repeated from there on. */
export function runLength(reader: Reader, at: number): number {
  const unit = reader.peek(at);
  let end = at + 1;
  while (reader.peek(end) === unit) end++;
  return end - at;
}

/** Whether the text continues with `expected`, whose letters are lower-case, in any case. */
export function continues(reader: Reader, at: number, expected: string): boolean {
  for (let i = 0; i < expected.length; i++) {
    const unit = reader.peek(at + i);
    if ((isUpper(unit) ? unit + 32 : unit) !== expected.charCodeAt(i)) return false;
  }
  return true;
}
