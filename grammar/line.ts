import { atomAt } from './atoms.ts';
import {
  classOf,
  isAlphanumeric,
  isBlank,
  isLineEnd,
  isSpace,
  type Reader,
  runLength,
  skipBlanks,
  UnitClass,
} from './characters.ts';
import { delimiterAt, isDelimiter, type Span, type SpanToken } from './emphasis.ts';
import { headerMarkAt } from './header-marks.ts';
import { linkTargetEnd } from './links.ts';
import { LinkOpen, LinkTarget, Mandatory, StatusClose, StatusOpen, text } from './parser.terms.ts';

const EXCLAMATION = 33;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const BACKTICK = 96;
const TILDE = 126;
const STATUS_NAME_MAX = 50;

/** What a line may have besides text: a flag and a status between its mark and the text, or a header's marks in it. */
export type LineKind = 'text' | 'flagged' | 'labelled' | 'header';

/** The tokens of one line. Reused for every line of a parse to avoid allocations. */
export interface Line {
  /** The tokens but for the text between them, as term, from and to one after the other. */
  readonly tokens: number[];
  /** Number of entries of `tokens` that belong to this line. */
  count: number;
  /** Where the text ends and the line break begins. */
  textTo: number;
}

/** Whether a status label starts at `at`: `[name]` and then a blank or the line's end. */
function isStatusLabel(reader: Reader, at: number): boolean {
  if (reader.peek(at) !== OPEN_BRACKET || reader.peek(at + 1) === TILDE) return false;
  let blank = true;
  for (let end = at + 1; end <= at + 1 + STATUS_NAME_MAX; end++) {
    const unit = reader.peek(end);
    if (unit === CLOSE_BRACKET) return !blank && isSpace(reader.peek(end + 1));
    // Code wins over a status: a name with a backtick would be ambiguous.
    if (isLineEnd(unit) || unit === OPEN_BRACKET || unit === BACKTICK) return false;
    blank &&= isBlank(unit);
  }
  return false;
}

/** The token that starts at a unit, if any. */
function tokenAt(
  reader: Reader,
  at: number,
  unit: number,
  kind: LineKind,
  inside: Span | undefined,
): SpanToken | undefined {
  if (unit === EXCLAMATION) return kind === 'header' && !inside ? headerMarkAt(reader, at) : undefined;
  if (isDelimiter(unit)) return delimiterAt(reader, at, inside);
  if (unit !== CLOSE_BRACKET) {
    const atom = atomAt(reader, at);
    return atom?.term === LinkOpen ? { term: LinkOpen, to: at + 1, opens: 'link' } : atom;
  }
  if (inside === 'label') return { term: StatusClose, to: at + 1, closes: true };
  return inside === 'link' ? { term: LinkTarget, to: linkTargetEnd(reader, at), closes: true } : undefined;
}

function add(line: Line, term: number, from: number, to: number): void {
  const { tokens, count } = line;
  tokens[count] = term;
  tokens[count + 1] = from;
  tokens[count + 2] = to;
  line.count = count + 3;
}

/** Reads a lone `!` behind blanks; gives the offset after it, or `at`. */
function readFlag(reader: Reader, pos: number, at: number, line: Line): number {
  const from = skipBlanks(reader, at);
  if (reader.peek(from) !== EXCLAMATION || !isSpace(reader.peek(from + 1))) return at;
  add(line, Mandatory, pos + from, pos + from + 1);
  return from + 1;
}

/**
 * Reads a line's text, which starts at `pos`, where the reader stands; what it consists of goes to `line`. Spans open
 * and close as the grammar nests them.
 */
export function readLine(reader: Reader, pos: number, kind: LineKind, line: Line): void {
  const open: Span[] = [];
  line.count = 0;
  let at = kind === 'flagged' || kind === 'labelled' ? readFlag(reader, pos, 0, line) : 0;
  // A `!` that stands before the status does not stand behind it too.
  const flagged = at > 0;
  if (kind === 'labelled') {
    const from = skipBlanks(reader, at);
    if (isStatusLabel(reader, from)) {
      add(line, StatusOpen, pos + from, pos + from + 1);
      open.push('label');
      at = from + 1;
    }
  }

  for (;;) {
    const unit = reader.peek(at);
    const unitClass = classOf(unit);
    if (unitClass === UnitClass.lineEnd) break;
    if (unitClass === UnitClass.plain || (unitClass === UnitClass.wordStart && isAlphanumeric(reader.peek(at - 1)))) {
      at++;
      continue;
    }
    const token = tokenAt(reader, at, unit, kind, open[open.length - 1]);
    if (!token || token.term === text) {
      at = token?.to ?? at + (unit === BACKTICK ? runLength(reader, at) : 1);
      continue;
    }
    add(line, token.term, pos + at, pos + token.to);
    at = token.to;
    if (token.opens) open.push(token.opens);
    if (token.closes && open.pop() === 'label' && !flagged) at = readFlag(reader, pos, at, line);
  }
  line.textTo = pos + at;
}
