import { isAlphanumeric, isDigit, isLetter, isUpper, isWord, type Reader } from './characters.ts';

/*
 * Issue keys, dates, people and emoji. Each function takes an offset at which a word may start and returns the offset
 * after the reference, or -1. None reads beyond its own characters, so a line is read in linear time.
 */

const SLASH = 47;
const DOT = 46;
const HYPHEN = 45;
const UNDERSCORE = 95;
const COLON = 58;

const joinsWords = (unit: number) => unit === SLASH || unit === 92 || unit === HYPHEN || unit === DOT;

/** Whether a key or date may start at `at`: not inside a word, a number or a path. */
function startsFree(reader: Reader, at: number): boolean {
  const before = reader.peek(at - 1);
  return !isWord(before) && !joinsWords(before);
}

/** Whether a key or date may end before `at`: neither a word nor a path goes on there. A full stop or a dash does not matter. */
function endsFree(reader: Reader, at: number): boolean {
  const after = reader.peek(at);
  if (isWord(after) || after === SLASH || after === 92) return false;
  return !(joinsWords(after) && isWord(reader.peek(at + 1)));
}

/** The key's characters alone, without regard to what stands around them. */
export function keyShape(reader: Reader, at: number): number {
  if (!isUpper(reader.peek(at))) return -1;
  let end = at + 1;
  while (isUpper(reader.peek(end)) || isDigit(reader.peek(end)) || reader.peek(end) === UNDERSCORE) end++;
  if (end < at + 2 || reader.peek(end) !== HYPHEN) return -1;
  end++;
  if (!isDigit(reader.peek(end)) || reader.peek(end) === 48) return -1;
  while (isDigit(reader.peek(end))) end++;
  return end;
}

export function issueKeyEnd(reader: Reader, at: number): number {
  if (!startsFree(reader, at)) return -1;
  const end = keyShape(reader, at);
  return end > 0 && endsFree(reader, end) ? end : -1;
}

function number(reader: Reader, at: number, digits: number): number {
  let value = 0;
  for (let i = at; i < at + digits; i++) {
    const unit = reader.peek(i);
    if (!isDigit(unit)) return Number.NaN;
    value = value * 10 + unit - 48;
  }
  return value;
}

/** A day that the calendar has, in the years 1900 to 2199. */
function isDay(year: number, month: number, day: number): boolean {
  if (!(year >= 1900 && year <= 2199 && month >= 1 && month <= 12 && day >= 1)) return false;
  if (month !== 2) return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
  return day <= (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28);
}

export function dateEnd(reader: Reader, at: number): number {
  if (!startsFree(reader, at) || !endsFree(reader, at + 10)) return -1;
  const yearFirst = isDigit(reader.peek(at + 2));
  const [first, second] = yearFirst ? [at + 4, at + 7] : [at + 2, at + 5];
  const separator = reader.peek(first);
  if (separator !== reader.peek(second) || !(separator === DOT || separator === SLASH || separator === HYPHEN))
    return -1;
  const year = number(reader, yearFirst ? at : at + 6, 4);
  const day = number(reader, yearFirst ? at + 8 : at, 2);
  return isDay(year, number(reader, first + 1, 2), day) ? at + 10 : -1;
}

const MENTION = '[~accountid:';
const ACCOUNT_ID_MAX = 128;

/** `[~accountid:…]`, the tracker's own notation. */
export function mentionEnd(reader: Reader, at: number): number {
  for (let i = 0; i < MENTION.length; i++) if (reader.peek(at + i) !== MENTION.charCodeAt(i)) return -1;
  const start = at + MENTION.length;
  let end = start;
  for (; end - start <= ACCOUNT_ID_MAX; end++) {
    const unit = reader.peek(end);
    if (!isAlphanumeric(unit) && unit !== COLON && unit !== HYPHEN && unit !== UNDERSCORE) break;
  }
  return end > start && end - start <= ACCOUNT_ID_MAX && reader.peek(end) === 93 ? end + 1 : -1;
}

/** `@name`. Trailing dots, dashes and underscores belong to the sentence. */
export function mentionNameEnd(reader: Reader, at: number): number {
  const first = reader.peek(at + 1);
  if (isWord(reader.peek(at - 1)) || !isLetter(first) || isDigit(first)) return -1;
  let end = at + 2;
  let nameEnd = end;
  for (; ; end++) {
    const unit = reader.peek(end);
    if (isLetter(unit)) nameEnd = end + 1;
    else if (unit !== DOT && unit !== HYPHEN && unit !== UNDERSCORE) return nameEnd;
  }
}

/** `:name:`, the shape of a shortcode; the view decides which shortcodes exist. */
export function emojiEnd(reader: Reader, at: number): number {
  if (isWord(reader.peek(at - 1))) return -1;
  let end = at + 1;
  for (; ; end++) {
    const unit = reader.peek(end);
    if (!isAlphanumeric(unit) && unit !== UNDERSCORE && unit !== HYPHEN && unit !== 43) break;
  }
  return end > at + 1 && reader.peek(end) === COLON && !isWord(reader.peek(end + 1)) ? end + 1 : -1;
}
