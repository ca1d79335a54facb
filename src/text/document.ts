import { ChangesOverlap } from './errors.ts';
import type { TextChange } from './types.ts';

/** A kind of character that cleaning removed from a text, and how often. Changed line ends are not reported. */
export interface CleanNote {
  kind: 'byteOrderMark' | 'nul' | 'loneSurrogate';
  count: number;
}

/**
 * The form in which every text enters: LF only, without a leading byte order mark and NUL, which databases and
 * properties cannot hold, and with U+FFFD for each half of a surrogate pair.
 */
export function cleanText(input: string): { text: string; notes: CleanNote[] } {
  const notes: CleanNote[] = [];
  const replace = (text: string, kind: CleanNote['kind'], pattern: RegExp, by: string) => {
    const count = text.match(pattern)?.reduce((sum, { length }) => sum + length, 0) ?? 0;
    if (count > 0) notes.push({ kind, count });
    return count > 0 ? text.replace(pattern, found => by.repeat(found.length)) : text;
  };
  // NUL first: without it, what stood on both sides may be a pair or a byte order mark at the start.
  let text = replace(input, 'nul', /\0+/g, '');
  text = replace(text, 'byteOrderMark', /^\uFEFF+/g, '');
  text = replace(text, 'loneSurrogate', /\p{Surrogate}+/gu, '\uFFFD');
  return { text: text.replace(/\r\n?/g, '\n'), notes };
}

/** Characters that change the direction of what follows: a name with one shows other names around it backwards. */
const directions = /[\u202A-\u202E\u2066-\u2069]/g;

/** A name in stored form: one line, without blanks around it, and without controls of the direction of text. */
export const cleanName = (typed: string): string =>
  cleanText(typed).text.replace(directions, '').trim().replace(/\s+/g, ' ');

/** The first 32 hexadecimal characters of the text's SHA-256, the same in the browser and at the server. */
export async function hashText(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest, 0, 16), byte => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The text after the changes, which are sorted, do not overlap and count from the text before. Throws `ChangesOverlap`
 * for any others.
 */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let result = '';
  let position = 0;
  for (const { from, to = from, insert = '' } of changes) {
    if (!(from >= position && to >= from && to <= text.length)) throw new ChangesOverlap();
    result += text.slice(position, from) + insert;
    position = to;
  }
  return result + text.slice(position);
}

const isHigh = (unit: number) => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00;

/**
 * The range in which two texts differ: they agree before `from`, and again from `toA` in one and `toB` in the other.
 */
export interface Difference {
  from: number;
  toA: number;
  toB: number;
}

/** The smallest such range that does not begin or end inside a surrogate pair; none if the texts are equal. */
export function differenceOf(a: string, b: string): Difference | undefined {
  if (a === b) return undefined;
  const shorter = Math.min(a.length, b.length);
  // Whole blocks first: comparing slices runs at memory speed, which counts when a keystroke changes a long text.
  let from = 0;
  while (from + 512 <= shorter && a.slice(from, from + 512) === b.slice(from, from + 512)) from += 512;
  while (from < shorter && a.charCodeAt(from) === b.charCodeAt(from)) from++;
  if (from > 0 && isHigh(a.charCodeAt(from - 1))) from--;
  let same = 0;
  const remainingLength = shorter - from;
  const tail = (text: string, length: number) => text.slice(text.length - same - length, text.length - same);
  while (same + 512 <= remainingLength && tail(a, 512) === tail(b, 512)) same += 512;
  while (same < remainingLength && a.charCodeAt(a.length - 1 - same) === b.charCodeAt(b.length - 1 - same)) same++;
  if (same > 0 && isLow(a.charCodeAt(a.length - same))) same--;
  return { from, toA: a.length - same, toB: b.length - same };
}

/** The one smallest change that turns `text`, which stands at `offset`, into `by`; none if they are equal. */
export function replaceText(text: string, by: string, offset = 0): TextChange[] {
  const difference = differenceOf(text, by);
  if (!difference) return [];
  const { from, toA, toB } = difference;
  return [{ from: offset + from, to: offset + toA, insert: by.slice(from, toB) }];
}
