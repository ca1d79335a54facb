import { ExternalTokenizer, type InputStream } from '@lezer/lr';
import { isLineEnd, isSpace, type Reader, runLength, skipBlanks } from './characters.ts';
import { type Line, type LineKind, readLine } from './line.ts';
import {
  blankLine,
  DetailsMark,
  DoneMark,
  detailsEnd,
  detailsIndent,
  HeaderMark,
  InProgressMark,
  indent,
  lineEnd,
  lineEndAbove,
  plain,
  SkippedMark,
  TodoMark,
  text,
} from './parser.terms.ts';

const GREATER = 62;
const HASH = 35;

/** The line that a parse is in. */
interface CurrentLine extends Line {
  readonly input: InputStream;
  /** Where its text starts. */
  from: number;
  kind: LineKind;
  /** Whether `tokens` and what follows are this line's. */
  read: boolean;
  /** Where the next token to hand out is in `tokens`. */
  next: number;
  /** The token that ends the line, and where it ends. */
  end: number;
  to: number;
}

/** Several parses may run interleaved, as in two editors. */
const lines = new WeakMap<InputStream, CurrentLine>();
let latest: CurrentLine | undefined;

function lineOf(input: InputStream): CurrentLine {
  if (latest?.input === input) return latest;
  latest = lines.get(input);
  if (!latest) {
    latest = {
      input,
      from: 0,
      kind: 'text',
      read: false,
      tokens: [],
      count: 0,
      next: 0,
      textTo: 0,
      end: lineEnd,
      to: 0,
    };
    lines.set(input, latest);
  }
  return latest;
}

/** Length of the line end at `at`; 0 at the text's end. */
function breakLength(reader: Reader, at: number): number {
  if (reader.peek(at) === -1) return 0;
  return reader.peek(at) === 13 && reader.peek(at + 1) === 10 ? 2 : 1;
}

/** Starts a line whose mark ends at `start`. The line is read when its first token is requested. */
function enterLine(input: InputStream, start: number, kind: LineKind): void {
  const line = lineOf(input);
  line.from = input.pos + start;
  line.kind = kind;
  line.read = false;
}

/** `>` below a row; elsewhere it is text. */
export const detailsStart = new ExternalTokenizer(input => {
  const start = skipBlanks(input, 0);
  if (input.peek(start) !== GREATER) input.acceptToken(detailsEnd, 0);
  else if (start > 0) input.acceptToken(detailsIndent, start);
  else {
    enterLine(input, 1, 'text');
    input.acceptToken(DetailsMark, 1);
  }
});

interface Mark {
  term: number;
  kind: LineKind;
}

const itemMarks = new Map<number, Mark>([
  [45, { term: TodoMark, kind: 'labelled' }],
  [43, { term: DoneMark, kind: 'labelled' }],
  [126, { term: InProgressMark, kind: 'flagged' }],
  [120, { term: SkippedMark, kind: 'flagged' }],
]);
const header: Mark = { term: HeaderMark, kind: 'header' };

/** A whole blank line, or the blanks before a mark, or the mark; on a plain item's line nothing but its start. */
export const lineStart = new ExternalTokenizer(input => {
  const start = skipBlanks(input, 0);
  const unit = input.peek(start);
  if (isLineEnd(unit)) {
    const end = start + breakLength(input, start);
    if (end > 0) input.acceptToken(blankLine, end);
    return;
  }
  const length = unit === HASH ? runLength(input, start) : 1;
  const mark = unit === HASH ? (length <= 6 ? header : undefined) : itemMarks.get(unit);
  if (!mark || !isSpace(input.peek(start + length))) {
    enterLine(input, 0, 'text');
    input.acceptToken(plain, 0);
  } else if (start > 0) input.acceptToken(indent, start);
  else {
    enterLine(input, length, mark.kind);
    input.acceptToken(mark.term, length);
  }
});

/** Reads the line from here on. Where a node used again stood first, no flag and no status can follow. */
function readCurrent(input: InputStream, line: CurrentLine): void {
  readLine(input, input.pos, line.from === input.pos || line.kind === 'header' ? line.kind : 'text', line);
  const breakAt = line.textTo - input.pos;
  const next = breakAt + breakLength(input, breakAt);
  line.read = true;
  line.next = 0;
  line.end = next > breakAt && input.peek(skipBlanks(input, next)) === GREATER ? lineEndAbove : lineEnd;
  line.to = input.pos + next;
}

/** What a line consists of, one after the other. The line's end takes the text before it along. */
export const lineTokens = new ExternalTokenizer(input => {
  const line = lineOf(input);
  if (!line.read) readCurrent(input, line);
  const { tokens, count } = line;
  // Where a node of an earlier tree is used again, its tokens are not asked for.
  while (line.next < count && (tokens[line.next + 1] ?? 0) < input.pos) line.next += 3;
  const { next } = line;
  const from = next < count ? tokens[next + 1] : undefined;
  if (from === undefined) input.acceptTokenTo(line.end, line.to);
  else if (from > input.pos) input.acceptTokenTo(text, from);
  else input.acceptTokenTo(tokens[next] ?? text, tokens[next + 2] ?? from);
});
