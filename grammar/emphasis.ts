import { atomAt, type Token } from './atoms.ts';
import { classOf, isAlphanumeric, isSpace, isWord, type Reader, runLength, UnitClass } from './characters.ts';
import { BoldOpen, EmphasisClose, ItalicOpen, StrikeOpen, text } from './parser.terms.ts';

/*
 * Emphasis is decided at its opener: it opens only if its closer is on the same line, before the closer of the
 * enclosing span and before another opener of its kind. So every opener has a closer, spans nest, and each part of a
 * line is scanned a bounded number of times.
 */

const ASTERISK = 42;
const UNDERSCORE = 95;
const TILDE = 126;
const CLOSE_BRACKET = 93;
const BACKTICK = 96;

/** One kind of emphasis: its delimiter, the delimiter's length, and its opening and closing tokens. */
interface Kind {
  unit: number;
  size: number;
  open: number;
}

/** A span that may enclose other tokens of its line. */
export type Span = Kind | 'label' | 'link';

/** A token that may open a span or close the innermost one. */
export interface SpanToken extends Token {
  opens?: Span;
  closes?: boolean;
}

/** Delimiters of one sort in a row, and what stands on both sides. */
interface Run {
  unit: number;
  length: number;
  before: number;
  after: number;
}

// Bold last: where `***` closes both, it is outside.
const kinds: readonly Kind[] = [
  { unit: ASTERISK, size: 1, open: ItalicOpen },
  { unit: UNDERSCORE, size: 1, open: ItalicOpen },
  { unit: TILDE, size: 2, open: StrikeOpen },
  { unit: ASTERISK, size: 2, open: BoldOpen },
];

export const isDelimiter = (unit: number) => unit === ASTERISK || unit === UNDERSCORE || unit === TILDE;

function runAt(reader: Reader, at: number): Run {
  const unit = reader.peek(at);
  const length = runLength(reader, at);
  // What is left of `***` after one closer still stands where the whole stood.
  let start = at - 1;
  while (reader.peek(start) === unit && start > at - 3) start--;
  return { unit, length, before: reader.peek(start), after: reader.peek(at + length) };
}

const fits = ({ unit, size }: Kind, run: Run) =>
  unit === run.unit && (run.length === size || (run.length === 3 && unit === ASTERISK));

const opens = (kind: Kind, run: Run) =>
  fits(kind, run) && !isSpace(run.after) && (kind.unit !== UNDERSCORE || !isWord(run.before));

const closes = (kind: Kind, run: Run) =>
  fits(kind, run) && !isSpace(run.before) && (kind.unit !== UNDERSCORE || !isWord(run.after));

/** The offset of the run that closes a span of that kind whose content starts at `from`, or -1. */
function closerOf(kind: Kind, reader: Reader, from: number, inside: Span | undefined): number {
  const bracketed = typeof inside === 'string';
  const around = bracketed ? undefined : inside;
  for (let at = from; ; ) {
    const unit = reader.peek(at);
    const unitClass = classOf(unit);
    if (unitClass === UnitClass.lineEnd || (bracketed && unit === CLOSE_BRACKET)) return -1;
    if (unitClass === UnitClass.plain || (unitClass === UnitClass.wordStart && isAlphanumeric(reader.peek(at - 1)))) {
      at++;
    } else if (isDelimiter(unit)) {
      const run = runAt(reader, at);
      if (closes(kind, run)) return at;
      if ((around && closes(around, run)) || opens(kind, run)) return -1;
      at += run.length;
    } else {
      at = atomAt(reader, at)?.to ?? at + (unit === BACKTICK ? runLength(reader, at) : 1);
    }
  }
}

/** The delimiter token at `at` inside the innermost open span; where none is valid, the delimiters that are `text`. */
export function delimiterAt(reader: Reader, at: number, inside: Span | undefined): SpanToken {
  const run = runAt(reader, at);
  if (typeof inside === 'object' && closes(inside, run)) {
    return { term: EmphasisClose, to: at + inside.size, closes: true };
  }
  const content = at + run.length;
  let opener: Kind | undefined;
  let lastCloser = -1;
  let openers = 0;
  for (const kind of kinds) {
    const closer = opens(kind, run) ? closerOf(kind, reader, content, inside) : -1;
    if (closer < 0) continue;
    openers++;
    // What closes last opens first.
    if (closer >= lastCloser) {
      opener = kind;
      lastCloser = closer;
    }
  }
  if (!opener) return { term: text, to: content };
  // A lone opener in `***` leaves the delimiters before it as text.
  if (openers === 1 && run.length > opener.size) return { term: text, to: content - opener.size };
  return { term: opener.open, to: at + opener.size, opens: opener };
}
