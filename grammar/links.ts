import {
  continues,
  isAlphanumeric,
  isBlank,
  isDigit,
  isLineEnd,
  isUpper,
  type Reader,
  runLength,
} from './characters.ts';
import { keyShape } from './references.ts';

const BACKTICK = 96;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_PARENTHESIS = 40;
const CLOSE_PARENTHESIS = 41;
const ASTERISK = 42;

/** After the code that starts at the backticks at `at`: one or two, and as many again on the same line. Otherwise -1. */
export function codeEnd(reader: Reader, at: number): number {
  const fence = runLength(reader, at);
  if (fence > 2) return -1;
  let end = at + fence;
  for (;;) {
    const unit = reader.peek(end);
    if (isLineEnd(unit)) return -1;
    if (unit !== BACKTICK) {
      end++;
      continue;
    }
    const run = runLength(reader, end);
    end += run;
    if (run === fence) return end;
  }
}

/** After `http://` or `https://` at `at`, or -1. */
function webScheme(reader: Reader, at: number): number {
  if (!continues(reader, at, 'http')) return -1;
  const end = continues(reader, at + 4, 's') ? at + 5 : at + 4;
  return continues(reader, end, '://') ? end + 3 : -1;
}

/** Whether a unit ends every URL: a space of any kind, a control, a quote, an angle bracket or a backtick. */
const endsUrl = (unit: number) => unit <= 32 || /["<>`\s]/.test(String.fromCharCode(unit));

/** The offset of the `)` that closes a link whose `(` stands at `at`, or -1 if that is no web or mail address. */
function targetEnd(reader: Reader, at: number): number {
  const web = webScheme(reader, at + 1);
  const start = web < 0 && continues(reader, at + 1, 'mailto:') ? at + 8 : web;
  if (start < 0) return -1;
  let depth = 0;
  for (let end = start; ; end++) {
    const unit = reader.peek(end);
    if (endsUrl(unit) || unit === OPEN_BRACKET) return -1;
    if (unit === OPEN_PARENTHESIS) depth++;
    if (unit === CLOSE_PARENTHESIS && depth-- === 0) return end > start ? end : -1;
  }
}

/** After `](target)` at `at`, or -1. */
export function linkTargetEnd(reader: Reader, at: number): number {
  if (reader.peek(at + 1) !== OPEN_PARENTHESIS) return -1;
  const end = targetEnd(reader, at + 1);
  return end < 0 ? -1 : end + 1;
}

/** After the link whose `[` stands at `at`, or -1. A label holds no bracket, save in code, and is not empty. */
export function linkEnd(reader: Reader, at: number): number {
  let empty = true;
  for (let end = at + 1; ; ) {
    const unit = reader.peek(end);
    if (isLineEnd(unit) || unit === OPEN_BRACKET) return -1;
    if (unit === CLOSE_BRACKET) return empty ? -1 : linkTargetEnd(reader, end);
    empty &&= isBlank(unit);
    const code = unit === BACKTICK ? codeEnd(reader, end) : -1;
    if (code > 0) end = code;
    else end += unit === BACKTICK ? runLength(reader, end) : 1;
  }
}

/** Curly quotes and full-width punctuation, as it stands around an address; addresses have none of them. */
const fullWidth = /[\u2018-\u2026\u3001-\u3020\uff01-\uff65]/;

const isTrailing = (unit: number) => '.,;:!?*~'.includes(String.fromCharCode(unit));

/** Whether the path that ends at `end` ends in `/browse/` and an issue key. */
function endsInIssue(reader: Reader, start: number, end: number): boolean {
  let at = end - 1;
  while (isDigit(reader.peek(at))) at--;
  if (reader.peek(at) !== 45) return false;
  do at--;
  while (at > start && (isUpper(reader.peek(at)) || isDigit(reader.peek(at)) || reader.peek(at) === 95));
  return at - 7 > start && continues(reader, at - 7, '/browse/') && keyShape(reader, at + 1) === end;
}

/** The URL that stands free in the text at `at`, and whether it has the shape of an issue's address. */
export function urlAt(reader: Reader, at: number): { to: number; issue: boolean } | undefined {
  const start = webScheme(reader, at);
  if (start < 0 || !(isAlphanumeric(reader.peek(start)) || reader.peek(start) > 127)) return undefined;
  let path = -1;
  let round = 0;
  let square = 0;
  let end = start;
  for (; ; end++) {
    const unit = reader.peek(end);
    if (
      endsUrl(unit) ||
      fullWidth.test(String.fromCharCode(unit)) ||
      (unit === ASTERISK && reader.peek(end + 1) === ASTERISK)
    )
      break;
    if ((unit === CLOSE_PARENTHESIS && --round < 0) || (unit === CLOSE_BRACKET && --square < 0)) break;
    if (unit === OPEN_PARENTHESIS) round++;
    else if (unit === OPEN_BRACKET) square++;
    else if (path < 0 && (unit === 63 || unit === 35)) path = end;
  }
  while (isTrailing(reader.peek(end - 1))) end--;
  if (end <= start) return undefined;
  return { to: end, issue: endsInIssue(reader, start, path < 0 || path > end ? end : path) };
}
