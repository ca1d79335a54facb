import type { SearchQuery } from '@codemirror/search';
import { type EditorState, Text } from '@codemirror/state';
import { positionIn, type ShownText, shownPosition, shownText } from './shown.ts';

/** A match in the text. */
export interface Match {
  from: number;
  to: number;
  /** The match begins or ends inside a chip. Such a chip is found as a whole and not replaced. */
  part: boolean;
  /** The text that replaces the match. */
  replacement(): string;
}

/** The maximum number of matches that are counted. */
export const MAX_COUNTED_MATCHES = 1000;

/** Line breaks and tabs as they are written in a query. */
const unquoted = (query: SearchQuery): string =>
  query.literal
    ? query.replace
    : query.replace.replace(/\\([nrt\\])/g, (_, letter: string) =>
        letter === 'n' ? '\n' : letter === 'r' ? '\r' : letter === 't' ? '\t' : '\\',
      );

/** The groups of a match, with the text of the chips that they contain. */
function groupsOf(query: SearchQuery, state: EditorState, shown: ShownText, from: number): string[] {
  const expression = new RegExp(query.search, `dmuy${query.caseSensitive ? '' : 'i'}`);
  expression.lastIndex = from;
  const match = expression.exec(shown.text.toString());
  return (match?.indices ?? []).map(range =>
    range ? state.sliceDoc(positionIn(shown, range[0], -1).at, positionIn(shown, range[1], 1).at) : '',
  );
}

/** The replacement for a match of an expression, with the expression's groups inserted. */
function expandGroups(query: SearchQuery, groups: readonly string[]): string {
  return unquoted(query).replace(/\$([$&]|\d+)/g, (whole, name: string) => {
    if (name === '$') return '$';
    if (name === '&') return groups[0] ?? '';
    for (let length = name.length; length > 0; length--) {
      const group = Number(name.slice(0, length));
      if (group > 0 && group < groups.length) return `${groups[group] ?? ''}${name.slice(length)}`;
    }
    return whole;
  });
}

/** The matches of the shown text from a position of the text on. */
function* shownMatches(state: EditorState, query: SearchQuery, shown: ShownText, from: number): Generator<Match> {
  const cursor = query.getCursor(shown.text, shownPosition(shown, from));
  for (let next = cursor.next(); !next.done; next = cursor.next()) {
    const { value } = next;
    const start = positionIn(shown, value.from, -1);
    const end = positionIn(shown, value.to, 1);
    if (start.at === end.at) continue;
    yield {
      from: start.at,
      to: end.at,
      part: start.inside || end.inside,
      replacement: () =>
        query.regexp ? expandGroups(query, groupsOf(query, state, shown, value.from)) : unquoted(query),
    };
  }
}

/** The days that are found by the way they are written. */
function* writtenDays(state: EditorState, query: SearchQuery, { pieces }: ShownText, start: number): Generator<Match> {
  for (const { chip } of pieces) {
    if (chip.meaning.kind !== 'day' || chip.from < start) continue;
    const { from, to } = chip;
    const text = state.sliceDoc(from, to);
    const { done, value } = query.getCursor(Text.of([text])).next();
    if (done || value.from !== 0 || value.to !== text.length) continue;
    const replacement = () => (query.regexp ? expandGroups(query, [text]) : unquoted(query));
    yield { from, to, part: false, replacement };
  }
}

/** Both in order; of two that overlap, the first. */
function* merged(one: Generator<Match>, other: Generator<Match>): Generator<Match> {
  let [a, b] = [one.next(), other.next()];
  let end = -1;
  while (!a.done || !b.done) {
    const first = b.done || (!a.done && a.value.from <= b.value.from);
    const match = first ? a.value : b.value;
    if (first) a = one.next();
    else b = other.next();
    if (!match || match.from < end) continue;
    end = match.to;
    yield match;
  }
}

/**
 * The matches of a query from a position on, in order and in the text as it is shown. None of them begins or ends inside
 * a chip.
 */
export function* matchesOf(state: EditorState, query: SearchQuery, from = 0): Generator<Match> {
  if (!query.valid) return;
  const shown = shownText(state);
  yield* merged(shownMatches(state, query, shown, from), writtenDays(state, query, shown, from));
}

/** The first match from a position on, else the first of all. */
export function matchFrom(state: EditorState, query: SearchQuery, position: number): Match | undefined {
  for (const from of [position, 0]) for (const match of matchesOf(state, query, from)) return match;
  return undefined;
}

/** The last match that ends before a position, else the last of all. */
export function matchBefore(state: EditorState, query: SearchQuery, position: number): Match | undefined {
  let before: Match | undefined;
  let last: Match | undefined;
  for (const match of matchesOf(state, query)) {
    if (match.to <= position) before = match;
    else if (before) break;
    last = match;
  }
  return before ?? last;
}

/** The number of matches, and the index of the selected match among them, from 1. */
export interface Count {
  all: number;
  /** There are more than are counted. */
  more: boolean;
  selected: number | undefined;
}

/** Counts the matches up to a limit, which keeps a long text fast. */
export function countOf(state: EditorState, query: SearchQuery): Count {
  const { from, to } = state.selection.main;
  let count = 0;
  let selected: number | undefined;
  for (const match of matchesOf(state, query)) {
    if (count === MAX_COUNTED_MATCHES) return { all: count, more: true, selected };
    count++;
    if (match.from === from && match.to === to) selected = count;
  }
  return { all: count, more: false, selected };
}
