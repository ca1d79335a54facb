import { atomAt, type Token } from './atoms.ts';
import { isLineEnd, isSpace, isWord, type Reader, runLength } from './characters.ts';
import {
  BoldClose,
  BoldOpen,
  ItalicClose,
  ItalicOpen,
  LinkTarget,
  StatusClose,
  StrikeClose,
  StrikeOpen,
  text,
  UnderscoreClose,
  UnderscoreOpen,
} from './parser.terms.ts';

/*
 * Emphasis is decided at its opener: it opens only if its closer stands on the same line, before the closer of what
 * encloses it and before another opener of its kind. Then every opener finds the closer that it was promised, spans
 * nest, and no part of a line is looked at more than a few times.
 */

const ASTERISK = 42;
const UNDERSCORE = 95;
const TILDE = 126;
const CLOSE_BRACKET = 93;
const BACKTICK = 96;

/** The terms that the parser may shift now; only the innermost open span's closer can be among them. */
export interface Context {
  canShift(term: number): boolean;
}

/** Delimiters of one sort in a row, and what stands on both sides. */
interface Run {
  unit: number;
  length: number;
  before: number;
  after: number;
}

interface Kind {
  open: number;
  close: number;
  /** How many delimiters open or close it. */
  size: number;
  fits(run: Run): boolean;
}

const bold: Kind = {
  open: BoldOpen,
  close: BoldClose,
  size: 2,
  fits: ({ unit, length }) => unit === ASTERISK && (length === 2 || length === 3),
};
const italic: Kind = {
  open: ItalicOpen,
  close: ItalicClose,
  size: 1,
  fits: ({ unit, length }) => unit === ASTERISK && (length === 1 || length === 3),
};
const underscore: Kind = {
  open: UnderscoreOpen,
  close: UnderscoreClose,
  size: 1,
  fits: ({ unit, length }) => unit === UNDERSCORE && length === 1,
};
const strike: Kind = {
  open: StrikeOpen,
  close: StrikeClose,
  size: 2,
  fits: ({ unit, length }) => unit === TILDE && length === 2,
};
const kinds = [italic, bold, underscore, strike];

export const isDelimiter = (unit: number) => unit === ASTERISK || unit === UNDERSCORE || unit === TILDE;

function runAt(reader: Reader, at: number): Run {
  const unit = reader.peek(at);
  const length = runLength(reader, at);
  // What is left of `***` after one closer still stands where the whole stood.
  let start = at - 1;
  while (reader.peek(start) === unit && start > at - 3) start--;
  return { unit, length, before: reader.peek(start), after: reader.peek(at + length) };
}

const opens = (kind: Kind, run: Run) =>
  kind.fits(run) && !isSpace(run.after) && (kind !== underscore || !isWord(run.before));

const closes = (kind: Kind, run: Run) =>
  kind.fits(run) && !isSpace(run.before) && (kind !== underscore || !isWord(run.after));

/** The innermost open span that ends with delimiters. */
const innermost = (context: Context) => kinds.find(({ close }) => context.canShift(close));

/** Whether `]` would end the innermost span. */
export const inBrackets = (context: Context) => context.canShift(StatusClose) || context.canShift(LinkTarget);

/** The offset of the run that closes a span of that kind whose content starts at `from`, or -1. */
function closerOf(kind: Kind, reader: Reader, from: number, around: Kind | undefined, bracket: boolean): number {
  for (let at = from; ; ) {
    const unit = reader.peek(at);
    if (isLineEnd(unit) || (bracket && unit === CLOSE_BRACKET)) return -1;
    if (isDelimiter(unit)) {
      const run = runAt(reader, at);
      if (closes(kind, run)) return at;
      if ((around && closes(around, run)) || opens(kind, run)) return -1;
      at += run.length;
    } else {
      at = atomAt(reader, at)?.to ?? at + (unit === BACKTICK ? runLength(reader, at) : 1);
    }
  }
}

const fitting = new Map([
  [ASTERISK, [bold, italic]],
  [UNDERSCORE, [underscore]],
  [TILDE, [strike]],
]);

/** The delimiter token at `at`; where none is valid, the delimiters that are `text`. */
export function delimiterAt(reader: Reader, at: number, context: Context): Token {
  const run = runAt(reader, at);
  const possible = fitting.get(run.unit) ?? [];
  for (const kind of possible) {
    if (closes(kind, run) && context.canShift(kind.close)) return { term: kind.close, to: at + kind.size };
  }
  const content = at + run.length;
  const openers = possible.filter(kind => opens(kind, run));
  if (openers.length === 0) return { term: text, to: content };

  const around = innermost(context);
  const bracket = !around && inBrackets(context);
  const [first, second] = openers
    .map(kind => ({ kind, closer: closerOf(kind, reader, content, around, bracket) }))
    .filter(({ closer }) => closer >= 0)
    // What closes last opens first; where `***` closes both, bold is outside.
    .sort((a, b) => b.closer - a.closer);
  if (!first) return { term: text, to: content };
  // A lone opener in `***` leaves the delimiters before it as text.
  if (!second && run.length > first.kind.size) return { term: text, to: content - first.kind.size };
  return { term: first.kind.open, to: at + first.kind.size };
}
