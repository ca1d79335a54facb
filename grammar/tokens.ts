import { ExternalTokenizer, type InputStream, type Stack } from '@lezer/lr';
import { atomAt, type Token } from './atoms.ts';
import {
  isAlphanumeric,
  isBlank,
  isDigit,
  isLineEnd,
  isSpace,
  isUpper,
  type Reader,
  runLength,
  skipBlanks,
} from './characters.ts';
import { type Context, delimiterAt, inBrackets, isDelimiter } from './emphasis.ts';
import { linkTargetEnd } from './links.ts';
import {
  blankLine,
  DetailsMark,
  DoneMark,
  detailsIndent,
  HeaderMark,
  InProgressMark,
  indent,
  LinkOpen,
  LinkTarget,
  lineEnd,
  Mandatory,
  mandatoryGap,
  SkippedMark,
  StatusClose,
  StatusOpen,
  statusGap,
  TodoMark,
  text,
} from './parser.terms.ts';

const GREATER = 62;
const HASH = 35;
const EXCLAMATION = 33;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const BACKTICK = 96;
const TILDE = 126;
const LOWER_H = 104;
const STATUS_NAME_MAX = 50;

/** Length of the line end at `at`; 0 at the text's end. */
function breakLength(reader: Reader, at: number): number {
  if (reader.peek(at) === -1) return 0;
  return reader.peek(at) === 13 && reader.peek(at + 1) === 10 ? 2 : 1;
}

/** `>` below a row. Only asked there; elsewhere `>` is text. */
export const detailsStart = new ExternalTokenizer(input => {
  const start = skipBlanks(input, 0);
  if (input.peek(start) !== GREATER) return;
  if (start > 0) input.acceptToken(detailsIndent, start);
  else input.acceptToken(DetailsMark, 1);
});

const itemMarks = new Map([
  [45, TodoMark],
  [43, DoneMark],
  [TILDE, InProgressMark],
  [120, SkippedMark],
]);

/** The mark of a header or an item; one that no blank follows is text. */
function markAt(reader: Reader, at: number): Token | undefined {
  const unit = reader.peek(at);
  const length = unit === HASH ? runLength(reader, at) : 1;
  const term = unit === HASH ? (length <= 6 ? HeaderMark : undefined) : itemMarks.get(unit);
  return term !== undefined && isSpace(reader.peek(at + length)) ? { term, to: at + length } : undefined;
}

/** A whole blank line, or the blanks before a mark, or the mark. On a plain item's line nothing. */
export const lineStart = new ExternalTokenizer(input => {
  const start = skipBlanks(input, 0);
  if (isLineEnd(input.peek(start))) {
    const end = start + breakLength(input, start);
    if (end > 0) input.acceptToken(blankLine, end);
    return;
  }
  const mark = markAt(input, start);
  if (!mark) return;
  if (start > 0) input.acceptToken(indent, start);
  else input.acceptToken(mark.term, mark.to);
});

export const mandatoryMark = new ExternalTokenizer(input => {
  const start = skipBlanks(input, 0);
  if (input.peek(start) !== EXCLAMATION || !isSpace(input.peek(start + 1))) return;
  if (start > 0) input.acceptToken(mandatoryGap, start);
  else input.acceptToken(Mandatory, 1);
});

/** Whether a status label starts at `at`: `[name]` and then a blank or the line's end. */
function isStatusLabel(reader: Reader, at: number): boolean {
  if (reader.peek(at) !== OPEN_BRACKET || reader.peek(at + 1) === TILDE) return false;
  let blank = true;
  for (let end = at + 1; end <= at + 1 + STATUS_NAME_MAX; end++) {
    const unit = reader.peek(end);
    if (unit === CLOSE_BRACKET) return !blank && isSpace(reader.peek(end + 1));
    // Code wins over a status: a name with a backtick would have to be read in two ways.
    if (isLineEnd(unit) || unit === OPEN_BRACKET || unit === BACKTICK) return false;
    blank &&= isBlank(unit);
  }
  return false;
}

export const statusStart = new ExternalTokenizer(input => {
  const start = skipBlanks(input, 0);
  if (!isStatusLabel(input, start)) return;
  if (start > 0) input.acceptToken(statusGap, start);
  else input.acceptToken(StatusOpen, 1);
});

const SPECIAL = 1;
const AT_WORD_START = 2;

/** Units at which a token other than text may start: delimiters, brackets and references; and these only before a word. */
const candidates = Uint8Array.from({ length: 128 }, (_, unit) => {
  if ('*_~`[]@:'.includes(String.fromCharCode(unit))) return SPECIAL;
  return isDigit(unit) || isUpper(unit) || unit === LOWER_H ? AT_WORD_START : 0;
});

/** Whether anything but text can start at a unit behind another. Most units are decided here. */
function mayStart(unit: number, before: number): boolean {
  const candidate = unit < 128 ? candidates[unit] : 0;
  return candidate === SPECIAL || (candidate === AT_WORD_START && !isAlphanumeric(before));
}

function inlineAt(reader: Reader, at: number, context: Context): Token | undefined {
  const unit = reader.peek(at);
  if (isDelimiter(unit)) return delimiterAt(reader, at, context);
  if (unit === CLOSE_BRACKET) {
    if (!inBrackets(context)) return undefined;
    return context.canShift(StatusClose)
      ? { term: StatusClose, to: at + 1 }
      : { term: LinkTarget, to: linkTargetEnd(reader, at) };
  }
  const atom = atomAt(reader, at);
  return atom?.term === LinkOpen ? { term: LinkOpen, to: at + 1 } : atom;
}

/** What a line's text consists of. Which closers are valid is asked of the parser, and only at a delimiter. */
export const inlineTokens = new ExternalTokenizer(
  (input: InputStream, stack: Stack) => {
    let before = input.peek(-1);
    for (let at = 0; ; ) {
      const unit = input.peek(at);
      if (isLineEnd(unit)) {
        if (at > 0) input.acceptToken(text, at);
        return;
      }
      const found = mayStart(unit, before) ? inlineAt(input, at, stack) : undefined;
      if (found && found.term !== text) {
        if (at > 0) input.acceptToken(text, at);
        else input.acceptToken(found.term, found.to);
        return;
      }
      at = found?.to ?? at + (unit === BACKTICK ? runLength(input, at) : 1);
      before = unit;
    }
  },
  { contextual: true },
);

export const endOfLine = new ExternalTokenizer(input => {
  if (isLineEnd(input.next)) input.acceptToken(lineEnd, breakLength(input, 0));
});
