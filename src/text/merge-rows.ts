import { type Identified, idsLearned, joinRows, type Reader, type Row, renamedRows, rowsOf } from './identity.ts';
import { withoutLines } from './merge/details.ts';
import { isLastingId } from './merge/pairing.ts';
import { commonWords } from './merge/rewording.ts';
import { keyOf } from './merge/units.ts';
import { commonCounts, countWords, differenceOf } from './merge/word-counts.ts';
import { type BaseValue, type MergeConflict, type Merged, merge, type Origin } from './merge.ts';
import { sourceOf } from './rows.ts';
import type { Checklist } from './types.ts';

/** A merge by row ids, with the ids of the merged rows: '' for a row without one. */
export interface MergedRows extends Omit<Merged, 'conflicts'> {
  rows: readonly string[];
  conflicts: readonly IdentifiedConflict[];
}

/** A value that a row had, known by its id. */
export interface ValueBefore extends Omit<BaseValue, 'index' | 'of' | 'theirs'> {
  rowId: string;
}

export interface IdentifiedConflict extends Omit<MergeConflict, 'before'> {
  before: readonly ValueBefore[];
}

/** The first line of a row's text and the details below it, which users change apart from each other. */
const lineAndDetailsOf = (text: string): readonly string[] => /^([^\n]*)(.*)$/s.exec(text)?.slice(1) ?? [];

/** A part of a row in an earlier version, and how much both sides have changed it. */
interface NearPart {
  source: string;
  distance: readonly number[];
}

/**
 * Returns for each row that both have the earlier version that both were most likely made of, line and details apart. That
 * is the version from which mine lacks the fewest words that theirs has, then theirs of those that mine has, then each of
 * all its words, so that words that an author never saw are not taken for deleted ones; of these the one to which they add
 * the fewest; of these the one that mine says, if mine brought it back as it was.
 */
function nearestRows(
  mine: readonly Row[],
  theirs: ReadonlyMap<string, Row>,
  earlier: readonly Identified[],
  read: Reader['read'],
): Omit<Row, 'said'>[] {
  const sides = new Map(
    mine.map(row => [
      row.id,
      [row, theirs.get(row.id) ?? row].map(({ said }) => lineAndDetailsOf(said).map(countWords)),
    ]),
  );
  const nearest = new Map<string, NearPart[]>();
  let like = '';
  for (const version of earlier) {
    if (!version.rows.some(id => sides.has(id))) continue;
    const rows = rowsOf(version, read, like);
    like = version.text;
    for (const { id, source, said } of rows) {
      const both = sides.get(id);
      if (!both) continue;
      const known = nearest.get(id);
      const saidParts = lineAndDetailsOf(said);
      const parts = lineAndDetailsOf(source).map((part, index): NearPart => {
        const before = known?.[index];
        if (before?.source === part) return before;
        const words = countWords(saidParts[index] ?? '');
        const [own = new Map(), other = new Map()] = both.map(side => side[index]);
        const differences = [own, other].map(side => differenceOf(words, side));
        const distance = [
          differenceOf(commonCounts(words, other), own).lacking,
          differenceOf(commonCounts(words, own), other).lacking,
          ...differences.map(({ lacking }) => lacking),
          differences.reduce((sum, each) => sum + each.added, 0),
          differences[0]?.lacking === 0 && differences[0].added === 0 ? 0 : 1,
        ];
        return before && !isLess(distance, before.distance) ? before : { source: part, distance };
      });
      nearest.set(id, parts);
    }
  }
  return [...nearest].map(([id, parts]) => ({ id, source: parts.map(({ source }) => source).join('') }));
}

/** Compares lists of equal length by their first difference. */
function isLess(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}

/**
 * The base of two versions, with the rows that both have and the base has not: such a row is one row, not two additions. Its
 * base is the nearest version of it in the `earlier` texts, else what both say of it.
 */
export function commonBase(
  base: Identified,
  mine: Identified,
  theirs: Identified,
  earlier: readonly Identified[],
  read: Reader['read'],
): Identified {
  const here = new Set(mine.rows);
  const both = new Set(theirs.rows.filter(id => id !== '' && here.has(id)));
  const inBase = new Set(base.rows);
  const missing = rowsOf(mine, read).filter(({ id }) => both.has(id) && !inBase.has(id));
  if (missing.length === 0) return base;
  const theirRows = new Map(rowsOf(theirs, read).map(row => [row.id, row]));
  const known = joinRows(base, nearestRows(missing, theirRows, earlier, read));
  const ids = new Set(known.rows);
  const unknown = missing.filter(({ id }) => !ids.has(id));
  if (unknown.length === 0) return known;
  return joinRows(
    known,
    unknown.map(({ id, source }) => ({ id, source: commonSource(source, theirRows.get(id)?.source ?? source, read) })),
  );
}

/** Returns the words that two states of a row have in common: neither side's words are taken for deleted ones. */
function commonSource(mine: string, theirs: string, read: Reader['read']): string {
  const [own, other] = [read(mine).rows[0], read(theirs).rows[0]];
  if (mine === theirs || !own || !other) return mine;
  const { from, to } = other.content;
  return `${theirs.slice(0, from)}${commonWords(own.text, other.text)}${/^[^\r\n]*/.exec(theirs.slice(to))?.[0] ?? ''}\n`;
}

const nameOf = ({ rows }: Checklist, index: number): string | undefined => {
  const row = rows[index];
  return row && keyOf({ row, content: row.text });
};

/** A version's ids without those of rows that may be a row of the base with another id: restored rows say the same. */
function idsForMerge(version: Identified, base: Identified, read: Reader['read']): (string | undefined)[] {
  const known = new Set(base.rows);
  if (version.rows.every(id => known.has(id))) return [...version.rows];
  const [here, there] = [read(base.text), read(version.text)];
  const names = new Set(here.rows.map((_, index) => nameOf(here, index)));
  return version.rows.map((id, index) => (known.has(id) || !names.has(nameOf(there, index)) ? id : undefined));
}

/** The text of a row without those of its details that other rows have in a next version, and had not before. */
function withoutMovedDetails(checklist: Checklist, index: number, next: Checklist): string {
  const source = sourceOf(checklist, index);
  const details = checklist.rows[index]?.details ?? [];
  if (details.length === 0) return source;
  const detailsOf = (rows: Checklist['rows']) => rows.flatMap(row => row.details.map(({ text }) => text));
  const added = new Set(withoutLines(detailsOf(next.rows), detailsOf(checklist.rows.toSpliced(index, 1))));
  const moved = details.filter(({ text }) => added.has(text));
  // From the last to the first, so that the places of those before stay.
  return moved.reduceRight((rest, { from, to }) => {
    const start = rest.lastIndexOf('\n', from - 1) + 1;
    const end = rest.indexOf('\n', to);
    return rest.slice(0, start) + (end < 0 ? '' : rest.slice(end + 1));
  }, source);
}

/**
 * For rows of the base that theirs has deleted, by index: what they said last where they were changed before that, so that
 * a row that stays keeps it. `earlier` are the versions before theirs, newest first.
 */
export function lastSources(
  base: Identified,
  mine: Identified,
  theirs: Identified,
  earlier: readonly Identified[],
  read: Reader['read'],
): ReadonlyMap<number, string> {
  const [kept, own] = [new Set(theirs.rows), new Set(mine.rows)];
  const deleted = new Map(
    base.rows.flatMap((id, index) => (id !== '' && !kept.has(id) && own.has(id) ? [[id, index] as const] : [])),
  );
  const sources = new Map<number, string>();
  for (const { text, rows } of earlier) {
    if (!rows.some(id => deleted.has(id))) continue;
    const checklist = read(text, base.text);
    for (const [at, id] of rows.entries()) {
      const index = deleted.get(id);
      if (index !== undefined) sources.set(index, withoutMovedDetails(checklist, at, read(theirs.text, text)));
      deleted.delete(id);
    }
  }
  return sources;
}

/** Merges two changes of one base by row ids, see `commonBase`. `lastOf` are the results of `lastSources` for that base. */
export function mergeRows(
  start: Identified,
  given: Identified,
  theirs: Identified,
  known: readonly Identified[],
  read: Reader['read'],
  lastOf?: ReadonlyMap<number, string>,
): MergedRows {
  const learned = idsLearned(start, given, theirs, read);
  const mine = renamedRows(given, learned);
  const earlier = known.map(version => renamedRows(version, learned));
  const base = commonBase(start, mine, theirs, earlier, read);
  const merged = merge(
    base.text,
    mine.text,
    theirs.text,
    read(theirs.text).statuses,
    {
      base: base.rows,
      mine: mine.rows,
      theirs: idsForMerge(theirs, base, read),
    },
    read,
    lastOf,
  );
  // Asked for once: the origins may have to be aligned.
  const { text, conflicts, origins } = merged;
  // Mine may know a part that was split off by the id of the row, which theirs has where its words are.
  const inTheirs = new Set(origins.map(({ theirs: other = -1 }) => theirs.rows[other]).filter(isLastingId));
  const idOf = ({ mine: own = -1, theirs: other = -1 }: Origin) => {
    const [there, here = ''] = [theirs.rows[other], mine.rows[own]];
    const ids = [there, inTheirs.has(here) ? '' : here];
    return ids.find(isLastingId) ?? ids.find(Boolean) ?? '';
  };
  const rows = origins.map(idOf);
  const baseId = (index: number) => rows[origins.findIndex(origin => origin.base === index)] ?? base.rows[index] ?? '';
  return {
    text,
    origins,
    rows,
    conflicts: conflicts.map(({ before, ...conflict }) => ({
      ...conflict,
      before: before.map(({ index, of, theirs: there = -1, ...value }) => ({
        ...value,
        rowId: (of === 'base' ? baseId(index) : '') || (theirs.rows[there] ?? ''),
      })),
    })),
  };
}
