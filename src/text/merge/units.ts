import { dateEnd } from '../../../grammar/references.ts';
import { applyChanges } from '../document.ts';
import { removeWords } from '../edits/remove-words.ts';
import { markKey } from '../header/marks.ts';
import { isLinked } from '../references.ts';
import type { Checklist, Row } from '../types.ts';

/** A row as a merge sees it: its text cut into the parts that can change on their own. Joined they are the text. */
export interface Unit {
  readonly row: Row;
  /** Indentation, mark, status and `!`. */
  readonly head: string;
  readonly content: string;
  /** Blanks and line break after the content. */
  readonly end: string;
  readonly details: string;
  /** The blank lines below, which belong to the row above them. */
  readonly below: string;
  /** The words of the header above, which name the section. */
  readonly section: string;
}

/** A whole text: blank lines, then units. */
export interface Document {
  readonly top: string;
  readonly units: readonly Unit[];
  /** Whether the last line has a break; units always have theirs. */
  readonly closed: boolean;
}

const endsLine = (text: string) => /[\n\r]$/.test(text);

/** Cuts a reading into units. */
export function documentOf({ text, rows, starts }: Checklist): Document {
  const closed = text === '' || endsLine(text);
  // A last line without a break reads as it does with one.
  const whole = closed ? text : `${text}\n`;
  let section = '';
  const units = rows.map((row, index): Unit => {
    const from = starts[index] ?? 0;
    const to = from + row.length === text.length ? whole.length : from + row.length;
    const source = whole.slice(from, to);
    const { content } = row;
    const lineTo = source.slice(content.to).search(/(?<=\r\n|\n|\r(?!\n))/) + content.to;
    if (row.kind === 'header') section = row.words;
    return {
      row,
      head: source.slice(0, content.from),
      content: row.text,
      end: source.slice(content.to, lineTo),
      details: source.slice(lineTo),
      below: whole.slice(to, starts[index + 1] ?? whole.length),
      section: row.kind === 'header' ? '' : section,
    };
  });
  return { top: whole.slice(0, starts[0] ?? whole.length), units, closed };
}

/** Everything but the blank lines below. */
export const lineOf = ({ head, content, end, details }: Unit) => head + content + end + details;

const tailToken = /(?:^|[ \t\xa0]+)(\[~accountid:[\w:-]{1,128}\]|\d[\d./-]{8}\d)$/;
const token = /\[~accountid:[\w:-]{1,128}\]|\d[\d./-]{8}\d/g;

/** Whether what has the shape of a mention or a day is one: a telephone number is none. */
const isName = (token: string) =>
  token.startsWith('[') || dateEnd({ peek: at => token.charCodeAt(at) || -1 }, 0) === token.length;

/** A content without the people and days at its end, and those (`tailOf` of a reading). */
export function splitTail(content: string): { body: string; people: string; days: string } {
  const people: string[] = [];
  const days: string[] = [];
  let body = content;
  // Contents seldom end in either, and their last character tells.
  if (!/[\d\]]$/.test(content)) return { body, people: '', days: '' };
  for (let match = tailToken.exec(body); match; match = tailToken.exec(body)) {
    const [, token = ''] = match;
    if (!isName(token) || (token.startsWith('[') && isLinked(body, match.index))) break;
    (token.startsWith('[') ? people : days).unshift(token);
    body = body.slice(0, match.index);
  }
  return { body, people: people.join(' '), days: days.join(' ') };
}

interface ContentParts extends ReturnType<typeof splitTail> {
  /** A header's marks as they are written, by what they say. */
  marks: ReadonlyMap<string, string>;
}

const noMarks: ContentParts['marks'] = new Map();

const partsOfRows = new WeakMap<Row, ContentParts>();

/** The parts of a content that change on their own: a header's marks, wherever they stand, and those of `splitTail`. */
export function splitContent(unit: Pick<Unit, 'row' | 'content'>): ContentParts {
  if (unit.content !== unit.row.text) return split(unit);
  // Readings of texts that were made of each other share their rows.
  const known = partsOfRows.get(unit.row);
  if (known) return known;
  const parts = split(unit);
  partsOfRows.set(unit.row, parts);
  return parts;
}

function split({ row, content }: Pick<Unit, 'row' | 'content'>): ContentParts {
  if (row.kind !== 'header' || row.marks.length === 0) return { ...splitTail(content), marks: noMarks };
  const start = row.content.from;
  const marks = row.marks.map(mark => ({ ...mark, from: mark.from - start, to: mark.to - start }));
  return {
    ...splitTail(applyChanges(content, removeWords(content, marks))),
    marks: new Map(marks.map(mark => [markKey(mark), content.slice(mark.from, mark.to)])),
  };
}

const sameMarks = (a: ContentParts['marks'], b: ContentParts['marks']) =>
  a.size === b.size && [...a].every(([key, mark]) => b.get(key) === mark);

/**
 * Whether two versions of a row are the same, but for the blank lines below and the order of people, days and marks: one
 * that was taken away and set again is at another place.
 */
export function isUnchanged(a: Unit, b: Unit): boolean {
  if (lineOf(a) === lineOf(b)) return true;
  if (a.head !== b.head || a.end !== b.end || a.details !== b.details) return false;
  const [one, other] = [splitContent(a), splitContent(b)];
  const isSame = one.body === other.body && one.people === other.people && one.days === other.days;
  return isSame && sameMarks(one.marks, other.marks);
}

/** A key that two units share if they are the same row, whatever became of its status, people, days, marks and details. */
export const keyOf = (unit: Pick<Unit, 'row' | 'content'>) =>
  `${unit.row.kind === 'header' ? '#' : '-'}${splitContent(unit).body}`;

/** A body without what it names: the issue keys that are words of their own, people and days; and those, each once. */
export interface Bare {
  readonly body: string;
  readonly names: readonly string[];
}

export function bareOf(unit: Unit | undefined): Bare {
  if (!unit) return { body: '', names: [] };
  const { body } = splitContent(unit);
  const names = new Set<string>();
  const unnamed = body.replace(token, found => {
    if (!isName(found)) return found;
    names.add(found);
    return ' ';
  });
  const keys = unit.row.issueKeys;
  if (names.size === 0 && keys.length === 0) return { body, names: [] };
  const words = unnamed.split(/[ \t\xa0]+/).filter(word => word !== '');
  const issues = keys.filter(key => words.includes(key));
  return { body: words.filter(word => !issues.includes(word)).join(' '), names: [...issues, ...names] };
}

/** Whether one names all that the other does: a row gains and loses names, but does not become another issue's or person's. */
export function namesAll({ names: a }: Bare, { names: b }: Bare): boolean {
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  return few.every(name => many.includes(name));
}

const joinsWord = (text: string, at: number) => /^[\p{L}\p{N}]{2}$/u.test(text.slice(at - 1, at + 1));

/**
 * Whether one content is the other with something put in between two words, at an end, or directly behind the people and
 * days at its end: a row while its author is typing.
 */
export function isGrown(a: Unit, b: Unit): boolean {
  const [short, long] = a.content.length < b.content.length ? [a, b] : [b, a];
  const [few, many] = [short.content, long.content];
  if (few === '' || few.length === many.length) return false;
  let from = 0;
  while (from < few.length && few[from] === many[from]) from++;
  const to = many.length - (few.length - from);
  if (!many.endsWith(few.slice(from))) return false;
  const isBehindTail = from === few.length && splitContent(short).body !== few;
  return isBehindTail || !(joinsWord(many, from) || joinsWord(many, to));
}
