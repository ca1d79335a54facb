import type { Token } from './atoms.ts';
import { continues, isBlank, isLineEnd, isSpace, type Reader } from './characters.ts';
import { Customers, Gate } from './parser.terms.ts';

/*
 * Marks of a header: a gate, `!before:NAME` or `!before:[NAME]`, and `!customers`. They are words of their own, outside
 * emphasis. None is longer than its bounded name, so a line is read in linear time.
 */

const EXCLAMATION = 33;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const BACKTICK = 96;

export const BEFORE = '!before:';
export const CUSTOMERS = '!customers';
/** Most UTF-16 units of the name in a gate. */
export const GATE_NAME_MAX = 60;

/** After the name that starts at `at`, in brackets or a run without blanks; -1 where none does. */
function nameEnd(reader: Reader, at: number): number {
  const bracketed = reader.peek(at) === OPEN_BRACKET;
  const from = bracketed ? at + 1 : at;
  let blank = true;
  for (let end = from; end <= from + GATE_NAME_MAX; end++) {
    const unit = reader.peek(end);
    if (bracketed ? unit === CLOSE_BRACKET : isSpace(unit)) return blank ? -1 : end + (bracketed ? 1 : 0);
    if (isLineEnd(unit) || unit === OPEN_BRACKET || unit === CLOSE_BRACKET || unit === BACKTICK) return -1;
    if (!bracketed && unit === EXCLAMATION) return -1;
    blank &&= isBlank(unit);
  }
  return -1;
}

/** The mark that stands at `at` in a header, if one does. */
export function headerMarkAt(reader: Reader, at: number): Token | undefined {
  if (reader.peek(at) !== EXCLAMATION || !isBlank(reader.peek(at - 1))) return undefined;
  const gate = continues(reader, at, BEFORE);
  const to = gate ? nameEnd(reader, at + BEFORE.length) : at + CUSTOMERS.length;
  if (to < 0 || !isSpace(reader.peek(to)) || !(gate || continues(reader, at, CUSTOMERS))) return undefined;
  return { term: gate ? Gate : Customers, to };
}
