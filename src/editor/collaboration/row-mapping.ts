import { ChangeSet, EditorSelection, type SelectionRange, Text } from '@codemirror/state';
import { reshapesOf } from '../../text/merge/reshapes.ts';
import { rewordingChanges } from '../../text/merge/rewording.ts';
import { increasing } from '../../text/merge/sequence.ts';
import { documentOf } from '../../text/merge/units.ts';
import { countWords, hasLetterOrDigit } from '../../text/merge/word-counts.ts';
import { lastRowBefore, sourceOf } from '../../text/rows.ts';
import type { Checklist, TextChange } from '../../text/types.ts';
import { rowsBetween } from '../checklist.ts';
import { cursorAfter, sameWordAt } from './cursor-word.ts';
import { changesBetween } from './diff.ts';
import { Reordering } from './reordering.ts';
import type { DeletedLine } from './stranded-cursor.ts';

/** A version of an editor's text with other people's changes: for each of its rows the editor's row that it is, if any. */
export interface NextText {
  checklist: Checklist;
  rows: readonly (number | undefined)[];
}

/** One step from a text to the text after a change of others. */
type Step = ChangeSet | Reordering;

/** Steps from one text to another, one after the other, as a mapping of positions. */
export class Steps {
  private readonly steps: readonly Step[];

  constructor(steps: readonly Step[]) {
    this.steps = steps;
  }

  /** Whether rows change places. */
  get reorders(): boolean {
    return this.steps.some(step => step instanceof Reordering);
  }

  /**
   * The start of a line goes with the line; any other position stays before text that comes in there, with an `assoc` of 1
   * behind it.
   */
  mapPos(position: number, doc: Text, assoc = position === doc.lineAt(position).from ? 1 : -1): number {
    const map = (at: number, step: Step) => (step instanceof Reordering ? step.mapPos(at) : step.mapPos(at, assoc));
    return this.steps.reduce(map, position);
  }
}

/** The way from an editor's text to the next one, row by row: a row that was moved takes along what is in it. */
export interface RowMapping {
  /** All steps as one change. */
  readonly changes: ChangeSet;
  readonly steps: Steps;
  /** The line of a cursor, if it was deleted, and the word with it that the cursor touches. */
  deletedLineAt(position: number): DeletedLine | undefined;
  /**
   * A range goes with its rows where these are still neighbours, without text that comes in at its ends; where they are
   * not, or it would take in words of others, the cursor alone is left of it.
   */
  mapRange(range: SelectionRange): SelectionRange;
}

const startOf = ({ starts, text }: Checklist, index: number) => starts[index] ?? text.length;

const isClosed = (text: string) => text === '' || text.endsWith('\n');

/** A checklist's rows with the blank lines below them, each with a line break, after what stands above the first row. */
function blocksOf(checklist: Checklist): string[] {
  const { text, rows } = checklist;
  const closed = isClosed(text) ? text : `${text}\n`;
  const starts = [0, ...rows.map((_, index) => startOf(checklist, index)), closed.length];
  return starts.slice(1).map((end, index) => closed.slice(starts[index], end));
}

/** Rows that became one row, or two. */
interface Reshaped {
  /** For each new row the old one that it is: a row that is new but for the words of an old one is that one. */
  rows: NextText['rows'];
  /** The old rows in an order in which those that were joined are neighbours, and for each the new row that it is now. */
  order: readonly number[];
  joined: ReadonlyMap<number, number>;
  /** Old rows that were joined as details of another one. */
  inDetails: ReadonlySet<number>;
  /** For the new form of a split row: all parts, in order. */
  parts: ReadonlyMap<number, readonly number[]>;
}

/** Finds the rows that were joined and split: a position in them goes with its words. */
function reshapesBetween(before: Checklist, { checklist, rows }: NextText): Reshaped {
  const order = before.rows.map((_, row) => row);
  const joined = new Map<number, number>();
  const inDetails = new Set<number>();
  const parts = new Map<number, readonly number[]>();
  const kept = new Map(rows.flatMap((row, place) => (row === undefined ? [] : [[row, place] as const])));
  if (kept.size === rows.length && kept.size === before.rows.length) return { rows, order, joined, inDetails, parts };
  const nextRows = [...rows];
  const { splits, joins } = reshapesOf(documentOf(before).units, documentOf(checklist).units, kept);
  for (const { row, place, isBehind, isInDetails } of joins) {
    const target = nextRows[place];
    if (target === undefined) {
      nextRows[place] = row;
      continue;
    }
    joined.set(target, place).set(row, place);
    if (isInDetails) inDetails.add(row);
    order.splice(order.indexOf(row), 1);
    let at = order.indexOf(target) + (isBehind ? 1 : 0);
    while (isBehind && joined.get(order[at] ?? -1) === place && (order[at] ?? row) < row) at++;
    order.splice(at, 0, row);
  }
  for (const [row, place] of kept) {
    // A row that was joined with a new row is that row.
    const own = splits.filter(split => split.row === row && nextRows[split.added] === undefined);
    if (own.length === 0) continue;
    own.sort((a, b) => a.cut - b.cut);
    const placesOf = (isSecond: boolean) => own.flatMap(split => (split.isSecond === isSecond ? [split.added] : []));
    parts.set(place, [...placesOf(false), place, ...placesOf(true)]);
  }
  return { rows: nextRows, order, joined, inDetails, parts };
}

interface Range {
  from: number;
  to: number;
}

/** Old rows that are one row now, or one that is not joined; and their parts in the order in which that row has them. */
interface Group {
  /** The rows' blocks, counted with the top as the first one. */
  blocks: readonly number[];
  ranges: readonly Range[];
}

/** The end of the text from a position on that is still in one piece where these ranges follow each other. */
function endOfRun(ranges: readonly Range[], from: number): number {
  const first = ranges.findIndex(range => range.from <= from && range.to > from);
  let end = ranges[first]?.to ?? from;
  for (const range of ranges.slice(first + 1)) {
    if (range.from !== end) break;
    end = range.to;
  }
  return end;
}

/** Groups the old rows, in the order of `reshaped`. A joined row has the first lines of all rows above their details. */
function groupsOf(blocks: readonly string[], { order, joined, inDetails }: Reshaped): Group[] {
  let at = 0;
  const ranges = blocks.map(block => {
    const from = at;
    at += block.length;
    return { from, line: from + block.indexOf('\n') + 1, to: at };
  });
  const groups: number[][] = [[0]];
  let last: number | undefined;
  for (const row of order) {
    const place = joined.get(row);
    if (place !== undefined && place === last) groups.at(-1)?.push(row + 1);
    else groups.push([row + 1]);
    last = place;
  }
  return groups.map(group => {
    const rangesOf = (isInDetails: boolean) =>
      group.flatMap(block => (inDetails.has(block - 1) === isInDetails ? (ranges[block] ?? []) : []));
    if (group.length === 1) return { blocks: group, ranges: rangesOf(false) };
    const rows = rangesOf(false);
    const lines = rows.map(({ from, line }) => ({ from, to: line }));
    const details = rows.map(({ line, to }) => ({ from: line, to }));
    return { blocks: group, ranges: [...lines, ...details, ...rangesOf(true)].filter(({ from, to }) => to > from) };
  });
}

/**
 * The changes inside of the rows, the deleted rows, and the new ones, each below the row that it is below in the end.
 * `groups` are the old rows, and `texts` what they say; blocks are counted with the top as the first one.
 */
function rowChanges(
  groups: readonly Group[],
  texts: readonly string[],
  next: readonly string[],
  { rows, parts }: Reshaped,
) {
  const isPart = new Set([...parts.values()].flat());
  /** For the top and each old row: its new form, and the new rows that follow it, by their places in `next`. */
  const kept = new Map<number, { place: number; added: number[] }>([[0, { place: 0, added: [] }]]);
  let above = kept.get(0);
  for (const [index, row] of rows.entries()) {
    if (row === undefined || kept.has(row + 1)) {
      if (!isPart.has(index)) above?.added.push(index + 1);
    } else {
      above = { place: index + 1, added: [] };
      kept.set(row + 1, above);
    }
  }
  const changes: TextChange[] = [];
  const order: number[] = [];
  let at = 0;
  for (const [index, { blocks }] of groups.entries()) {
    const stays = blocks.flatMap(block => kept.get(block) ?? [])[0];
    const block = texts[index] ?? '';
    const to = at + block.length;
    if (stays) {
      const places = parts.get(stays.place - 1)?.map(part => part + 1) ?? [stays.place];
      order.push(...places, ...stays.added);
      const now = places.map(place => next[place] ?? '').join('');
      for (const change of places.length > 1 || blocks.length > 1
        ? rewordingChanges(block, now)
        : changesBetween(block, now))
        changes.push({ ...change, from: at + change.from, to: at + (change.to ?? change.from) });
      const insert = stays.added.map(place => next[place] ?? '').join('');
      if (insert !== '') changes.push({ from: to, insert });
    } else changes.push({ from: at, to });
    at = to;
  }
  return { changes, order };
}

/** Makes the change set of a reordering: as few blocks as possible are moved, and of two the one that is not preferred. */
function moves(lengths: readonly number[], order: readonly number[], preferred: ReadonlySet<number>, doc: Text) {
  const stayed = increasing(order, preferred);
  const starts: number[] = [];
  let at = 0;
  for (const [index, length] of lengths.entries()) {
    starts[index] = at;
    at += length;
  }
  /** The moved blocks, by the place that they go to. */
  const inserted = new Map<number, Text>();
  const changes: { from: number; to?: number; insert?: Text }[] = [];
  let below = 0;
  for (const [place, block] of order.entries()) {
    const [from, to] = [starts[block] ?? 0, (starts[block] ?? 0) + (lengths[block] ?? 0)];
    if (stayed.has(place)) below = to;
    else {
      inserted.set(below, (inserted.get(below) ?? Text.empty).append(doc.slice(from, to)));
      changes.push({ from, to });
    }
  }
  for (const [from, insert] of inserted) changes.push({ from, insert });
  // Change sets keep the order of changes only where these are sorted.
  changes.sort((a, b) => a.from - b.from || (a.to ?? a.from) - (b.to ?? b.from));
  return ChangeSet.of(changes, doc.length);
}

/**
 * The way from a text to the next one. `doc` is the text of `before`; the rows of `preferred` stay in their place where
 * a row and its neighbour changed places.
 */
export function rowMapping(
  before: Checklist,
  doc: Text,
  { checklist, rows }: NextText,
  preferred: ReadonlySet<number>,
): RowMapping {
  const steps: Step[] = [];
  let all = ChangeSet.empty(doc.length);
  let now = doc;
  const add = (changes: ChangeSet, step: Step = changes) => {
    if (changes.empty) return;
    steps.push(step);
    all = all.compose(changes);
    now = changes.apply(now);
  };
  const change = (changes: readonly TextChange[]) => add(ChangeSet.of([...changes], now.length));

  if (!isClosed(before.text)) change([{ from: now.length, insert: '\n' }]);
  const reorder = (lengths: readonly number[], order: readonly number[], favoured: ReadonlySet<number>) => {
    // The end is a block of its own, which stays the last one.
    const mapping = new Reordering([...lengths, 0], [...order, lengths.length]);
    add(moves(lengths, order, favoured, now), mapping);
    return mapping;
  };
  const next = blocksOf(checklist);
  const reshaped = reshapesBetween(before, { checklist, rows });
  const groups = groupsOf(blocksOf(before), reshaped);
  const gathered = groups.flatMap(({ ranges }) => ranges);
  const inText = gathered.toSorted((a, b) => a.from - b.from);
  const placeOf = new Map(inText.map((range, place) => [range, place]));
  const gathering = gathered.some((range, place) => range !== inText[place])
    ? reorder(
        inText.map(({ from, to }) => to - from),
        gathered.map(range => placeOf.get(range) ?? 0),
        new Set(),
      )
    : undefined;
  let start = 0;
  const texts = groups.map(({ ranges }) => {
    const from = start;
    start = ranges.reduce((sum, range) => sum + range.to - range.from, from);
    return now.sliceString(from, start);
  });
  const gatheredText = texts.join('');
  const { changes, order: present } = rowChanges(groups, texts, next, reshaped);
  change(changes);
  const lengths = present.map(place => next[place]?.length ?? 0);
  const blockOf = new Map(present.map((place, block) => [place, block]));
  const order = present.map((_, place) => blockOf.get(place) ?? 0);
  const isReordering = order.some((block, place) => block !== place);
  if (isReordering) {
    const favoured = rows.flatMap((row, index) =>
      row !== undefined && preferred.has(row) ? [blockOf.get(index + 1) ?? 0] : [],
    );
    reorder(lengths, order, new Set(favoured));
  }
  if (!isClosed(checklist.text)) change([{ from: now.length - 1, to: now.length }]);
  // Nothing is left to change, unless the merged text reads otherwise than its rows were written.
  change(changesBetween(now.toString(), checklist.text));

  const way = new Steps(steps);
  const map = (position: number, assoc?: 1) => way.mapPos(position, doc, assoc);
  const isLineDeleted = (position: number) => {
    const old = doc.lineAt(position);
    const [start = old.from, end = old.to] = [gathering?.mapPos(old.from), gathering?.mapPos(old.to)];
    const line = { from: start, to: end, length: end - start };
    return changes.some(({ from, to = from, insert = '' }) => {
      // The lines above an empty one go with their breaks.
      const isAbove = line.length === 0 && to === line.to && (from === 0 || gatheredText[from - 1] === '\n');
      return insert === '' && from <= line.from && to >= line.to && to - from > line.length && !isAbove;
    });
  };
  const mapCursor = (position: number) => {
    const cursor = { position, isLineDeleted: isLineDeleted(position) };
    return cursorAfter(before, cursor, checklist, map(position));
  };
  const places = new Map(rows.flatMap((row, place) => (row === undefined ? [] : [[row, place] as const])));
  /** Whether a range of the next text has taken in words that stood outside of a range of the old one, or has left some of its own there. */
  const isOther = (old: Range, range: Range) => {
    const [was, is] = [before.text.slice(old.from, old.to), checklist.text.slice(range.from, range.to)].map(countWords);
    const changed = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])]
      .filter(hasLetterOrDigit)
      .filter(word => was?.get(word) !== is?.get(word));
    if (changed.length === 0) return false;
    const [all, allNow] = [before.text, checklist.text].map(countWords);
    return changed.some(word => {
      const [inside = 0, insideNow = 0] = [was?.get(word), is?.get(word)];
      const [outside, outsideNow] = [(all?.get(word) ?? 0) - inside, (allNow?.get(word) ?? 0) - insideNow];
      return insideNow > inside ? outside > outsideNow : outside < outsideNow;
    });
  };
  return {
    changes: all,
    steps: way,
    deletedLineAt(position) {
      if (!isLineDeleted(position)) return undefined;
      const place = mapCursor(position);
      const [row, rowThere] = [lastRowBefore(before, position), lastRowBefore(checklist, place)];
      const word = sameWordAt(before.text, position, checklist.text, place);
      const other = rows[rowThere];
      const countIn = (source: string) => countWords(source).get(word ?? '') ?? 0;
      // Another row that has the word no more often than before has its own.
      const isOthers =
        other !== undefined &&
        other !== row &&
        countIn(sourceOf(checklist, rowThere)) <= countIn(sourceOf(before, other));
      if (word !== undefined && !isOthers) return undefined;
      // A blank line is where a row begins.
      return places.has(row) && doc.lineAt(position).text.trim() !== '' ? 'detail' : 'row';
    },
    mapRange({ from, to: last, anchor, head, empty }) {
      if (empty) return EditorSelection.cursor(mapCursor(head));
      if (rows.length < checklist.rows.length) return EditorSelection.range(map(anchor), map(head));
      const selected = rowsBetween(before, from, last).filter(({ start }) => start < last);
      const now = selected.map(({ index }) => places.get(index) ?? -1);
      const first = now[0] ?? -1;
      const areNeighbours = now.every((place, index) => place >= 0 && place === first + index);
      const lastRow = selected.at(-1);
      // A row that was joined with one of these may have come in between.
      const to = Math.min(last, endOfRun(gathered, from));
      // A line break goes with the line that it ends, unless words come in before it.
      const isBehindLine = (position: number) => doc.sliceString(position - 1, position) === '\n';
      const isLineEnd = isBehindLine(to);
      const lineEnd = map(isLineEnd ? to - 1 : to);
      const [start, end] = [map(from, 1), lineEnd + (isLineEnd && checklist.text[lineEnd] === '\n' ? 1 : 0)];
      const isCut = to < last && !isBehindLine(last);
      if (!areNeighbours || end <= start || isCut || isOther({ from, to }, { from: start, to: end }))
        return EditorSelection.cursor(
          isBehindLine(last) && lastRow && head === last ? map(lastRow.start) : mapCursor(head),
        );
      return anchor < head ? EditorSelection.range(start, end) : EditorSelection.range(end, start);
    },
  };
}
