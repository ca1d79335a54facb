import { common, numbering } from './common.ts';

/** The lines of details with their line breaks. */
export const linesOf = (details: string) =>
  details.match(/[^\r\n]*(?:\r\n|\n|\r|$)/g)?.filter(line => line !== '') ?? [];

/** Details without their marks and the blanks around these. */
export const withoutMarks = (details: string): string => details.replace(/^[ \t\xa0]*>[ \t\xa0]*/gm, '');

/** The lines of `side` without those of `other`, each as often as it stands there. */
export function withoutLines(side: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of other) left.set(line, (left.get(line) ?? 0) + 1);
  return side.filter(line => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
}

/** Whether at least half of some lines are among others. */
export function isMostlyOf(details: string, others: string): boolean {
  const [lines = [], among] = [details, others].map(text => linesOf(text).flatMap(line => line.trim() || []));
  return lines.length > 0 && 2 * lines.filter(line => among?.includes(line)).length >= lines.length;
}

/** The lines between two lines that all versions have. */
interface Region {
  base: readonly string[];
  mine: readonly string[];
  theirs: readonly string[];
}

const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((line, i) => line === b[i]);

/** Index behind which `side` holds all of `base`, in order, at the end of the lines added above them; -1 if it does not. */
function addedAbove(base: readonly string[], side: readonly string[]): number {
  const first = side.indexOf(base[0] ?? '');
  return first >= 0 && same(side.slice(first, first + base.length), base) ? first : -1;
}

/** Words from which on a note that is part of another one is taken for an earlier state of it. */
const MIN_WORDS = 3;

/** Whether a line has all words of another one, in their order, and more. */
function hasGrownFrom(line: string, shorter: string): boolean {
  const [few, many] = [shorter, line].map(text => text.match(/\S+/g) ?? []);
  if (!few || !many || few.length < MIN_WORDS || few.length >= many.length) return false;
  let next = 0;
  for (const word of many) if (word === few[next]) next++;
  return next === few.length;
}

/**
 * Two notes at one place: theirs first, then mine. A note that both wrote stands once, and one that the other side has with
 * more words stands as that.
 */
function bothNotes(mine: readonly string[], theirs: readonly string[]): string[] {
  const added = withoutLines(mine, theirs);
  const left = theirs.map(line => {
    const grown = added.findIndex(own => hasGrownFrom(own, line) || hasGrownFrom(line, own));
    const [own = line] = grown < 0 ? [] : added.splice(grown, 1);
    return own.length > line.length ? own : line;
  });
  return [...left, ...added];
}

/** Equally many lines on all sides, each changed by one of them at most; `undefined` where both changed one. */
function mergeLines({ base, mine, theirs }: Region): string[] | undefined {
  if (base.length !== mine.length || base.length !== theirs.length) return undefined;
  const merged = base.flatMap((line, index) => {
    const [own, other] = [mine[index], theirs[index]];
    return (own === line || own === other ? other : other === line ? own : undefined) ?? [];
  });
  return merged.length === base.length ? merged : undefined;
}

/** The other side's lines without those that one side has deleted; `undefined` if one of these may be changed there. */
function withoutDeleted(base: readonly string[], side: readonly string[], other: readonly string[]) {
  const deleted = withoutLines(base, side);
  if (deleted.length === 0 || withoutLines(side, base).length > 0) return undefined;
  const hasNew = withoutLines(other, base).length > 0;
  return hasNew && withoutLines(deleted, other).length > 0 ? undefined : withoutLines(other, deleted);
}

/** One region of both; `undefined` if both changed the same lines. */
function mergeRegion({ base, mine, theirs }: Region): string[] | undefined {
  if (same(mine, base) || same(mine, theirs)) return [...theirs];
  if (same(theirs, base)) return [...mine];
  if (base.length === 0) return bothNotes(mine, theirs);
  const [aboveMine, aboveTheirs] = [addedAbove(base, mine), addedAbove(base, theirs)];
  if (aboveMine >= 0) {
    const above = mine.slice(0, aboveMine);
    const below = mine.slice(aboveMine + base.length);
    return [...withoutLines(above, theirs), ...theirs, ...withoutLines(below, theirs)];
  }
  if (aboveTheirs < 0)
    return (
      withoutDeleted(base, mine, theirs) ?? withoutDeleted(base, theirs, mine) ?? mergeLines({ base, mine, theirs })
    );
  const above = theirs.slice(0, aboveTheirs);
  const below = theirs.slice(aboveTheirs + base.length);
  return [...withoutLines(above, mine), ...mine, ...withoutLines(below, mine)];
}

/**
 * Merges the detail lines of a row as its rows are merged: what either side added or removed. Where both changed the same
 * lines, mine stays and `conflict` is called.
 */
export function mergeDetails(base: string, mine: string, theirs: string, conflict: () => void): string {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const [b, m, t] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const number = numbering();
  const numbers = (lines: readonly string[]) => lines.map(number);
  const inMine = new Map(common(numbers(b), numbers(m)));
  const inTheirs = new Map(common(numbers(b), numbers(t)));
  const merged: string[] = [];
  let isConflict = false;
  let [fromBase, fromMine, fromTheirs] = [0, 0, 0];
  const close = (toBase: number, toMine: number, toTheirs: number) => {
    const region = {
      base: b.slice(fromBase, toBase),
      mine: m.slice(fromMine, toMine),
      theirs: t.slice(fromTheirs, toTheirs),
    };
    const lines = mergeRegion(region);
    isConflict ||= lines === undefined;
    for (const line of lines ?? region.mine) merged.push(line);
  };
  for (const [index, line] of b.entries()) {
    const [own, other] = [inMine.get(index), inTheirs.get(index)];
    if (own === undefined || other === undefined) continue;
    close(index, own, other);
    merged.push(line);
    [fromBase, fromMine, fromTheirs] = [index + 1, own + 1, other + 1];
  }
  close(b.length, m.length, t.length);
  if (isConflict) conflict();
  return merged.join('');
}
