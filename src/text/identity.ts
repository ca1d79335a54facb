import { alignUnits } from './merge/align.ts';
import { isLastingId } from './merge/pairing.ts';
import { commonWords, wordsOf } from './merge/rewording.ts';
import { documentOf, keyOf } from './merge/units.ts';
import { type BaseValue, type MergeConflict, type Merged, merge, type Origin } from './merge.ts';
import { rowAt, sourceOf } from './rows.ts';
import type { Checklist } from './types.ts';

/**
 * Carries row ids over to another version of a text after free editing. Each row of `after` gets the id of its
 * counterpart, however it was moved, reworded or ticked, else a new one from `newId`. `ids` has one entry per row of
 * `before`; the result has no duplicates, even if `ids` has. Rows with equal text keep their order.
 */
export function align(
  before: Checklist,
  ids: readonly string[],
  after: Checklist,
  newId: () => string,
  given?: readonly string[],
): string[] {
  const here = documentOf(before);
  const there = documentOf(after);
  const alignment = given ? alignUnits(here.units, there.units, ids, given) : alignUnits(here.units, there.units);
  const was = new Map([...alignment].map(([index, now]) => [now, index]));
  const taken = new Set<string>();
  return there.units.map((_, index) => {
    const id = ids[was.get(index) ?? -1];
    if (id === undefined || taken.has(id)) return newId();
    taken.add(id);
    return id;
  });
}

/** A text and the ids of its rows, in order. */
export interface Identified {
  text: string;
  rows: readonly string[];
}

/** How texts are read, and what gives a new row its id. `like` is a text that the one to be read was made of. */
export interface Reader {
  read(text: string, like?: string): Checklist;
  newId(): string;
}

/** Names by which a row is the same as one of another text, the stricter first: all of it, and what it says. */
const namings: readonly ((checklist: Checklist, index: number) => string)[] = [
  (checklist, index) => sourceOf(checklist, index).trimEnd(),
  (checklist, index) => {
    const row = rowAt(checklist, index);
    return keyOf({ row, content: row.text });
  },
];

/**
 * The rows' ids after a change: each row keeps its id, however moved or reworded. A row that `before` lacks gets the id
 * of the first equal row in the `earlier` texts, one with the same status and details before others, else a new one.
 * `given` are the ids that rows of `after` are known by, '' for the others: a row with another id is another row.
 */
export function carry(
  before: Identified,
  after: string,
  earlier: readonly Identified[],
  { read, newId }: Reader,
  given?: readonly string[],
): string[] {
  // The base first: of the other text only the difference is read then.
  const base = read(before.text);
  const checklist = read(after, before.text);
  const ids = align(base, before.rows, checklist, () => '', given);
  const open = new Set(ids.flatMap((id, index) => (id === '' ? [index] : [])));
  const taken = new Set(ids);
  let like = after;
  for (const { text, rows } of earlier) {
    if (open.size === 0) break;
    // Usually no row is missing.
    if (rows.every(id => taken.has(id))) continue;
    const there = read(text, like);
    like = text;
    for (const nameOf of namings) {
      const gone = new Map<string, string[]>();
      rows.forEach((id, index) => {
        if (taken.has(id) || index >= there.rows.length) return;
        const name = nameOf(there, index);
        const same = gone.get(name);
        if (same) same.push(id);
        else gone.set(name, [id]);
      });
      for (const index of gone.size > 0 ? open : []) {
        const id = gone.get(nameOf(checklist, index))?.shift();
        if (id === undefined) continue;
        ids[index] = id;
        taken.add(id);
        open.delete(index);
      }
    }
  }
  return ids.map(id => id || newId());
}

interface Row {
  id: string;
  source: string;
  /** The source without the marks before its words. */
  said: string;
}

/** The rows that can stand anywhere: one without a mark would become a detail of the row above. */
function rowsOf({ text, rows }: Identified, read: Reader['read'], like?: string): Row[] {
  const checklist = read(text, like);
  const all = rows.map((id, index) => {
    const source = sourceOf(checklist, index);
    return { id, source, said: source.slice(checklist.rows[index]?.content.from ?? 0) };
  });
  return all.filter(({ source }) => !/^\s*>/.test(source));
}

function joinRows(to: Identified, added: readonly Omit<Row, 'said'>[]): Identified {
  const lines = [to.text, ...added.map(({ source }) => source)].filter(Boolean);
  return {
    text: lines.map(line => (line.endsWith('\n') ? line : `${line}\n`)).join(''),
    rows: [...to.rows, ...added.map(({ id }) => id)],
  };
}

/** The rows of a text that equal rows of an earlier text: unchanged by the author. */
export function unchangedRows(of: Identified, earlier: readonly Identified[], read: Reader['read']): Identified {
  const all = rowsOf(of, read);
  const changed = new Map(all.map(({ id, source }) => [id, source.trimEnd()]));
  let like = of.text;
  for (const version of earlier) {
    // Most texts lack the words of every row that is still open: these are not read.
    const { text, rows } = version;
    if (!rows.some(id => text.includes(changed.get(id) ?? '\0'))) continue;
    const there = read(text, like);
    like = text;
    rows.forEach((id, index) => {
      const isSame = index < there.rows.length && sourceOf(there, index).trimEnd() === changed.get(id);
      if (isSame) changed.delete(id);
    });
  }
  return joinRows(
    { text: '', rows: [] },
    all.filter(({ id }) => !changed.has(id)),
  );
}

/** A version with the ids of those rows only that differ from the version before: '' for the others. */
export function changedRows(version: Identified, before: Identified, read: Reader['read']): Identified {
  const [here, there] = [read(version.text, before.text), read(before.text)];
  const indexes = new Map(before.rows.map((id, index) => [id, index]));
  const isChanged = (id: string, index: number) => {
    const was = indexes.get(id);
    // The last row has a line break once another one follows.
    return was === undefined || sourceOf(here, index).trimEnd() !== sourceOf(there, was).trimEnd();
  };
  return { ...version, rows: version.rows.map((id, index) => (isChanged(id, index) ? id : '')) };
}

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

/**
 * For each row that both have the earlier version of it that both were most likely made of: the one from which mine lacks
 * the fewest words, then theirs, so that words that an author never saw are not taken for deleted ones; of these the one to
 * which they add the fewest; of these the one that mine says, which was brought back as it was.
 */
function nearestRows(
  mine: readonly Row[],
  theirs: ReadonlyMap<string, Row>,
  earlier: readonly Identified[],
  read: Reader['read'],
): Row[] {
  const sides = new Map(
    mine.map(row => [row.id, [row, theirs.get(row.id) ?? row].map(({ said }) => wordCounts(said))]),
  );
  const found = new Map<string, Row & { distance: readonly number[] }>();
  let like = '';
  for (const version of earlier) {
    if (!version.rows.some(id => sides.has(id))) continue;
    const rows = rowsOf(version, read, like);
    like = version.text;
    for (const row of rows) {
      const { id, source, said } = row;
      const known = found.get(id);
      const both = sides.get(id);
      if (!both || known?.source === source) continue;
      const words = wordCounts(said);
      const differences = both.map(side => differenceOf(words, side));
      const distance = [
        ...differences.map(({ lacking }) => lacking),
        differences.reduce((sum, each) => sum + each.added, 0),
        differences[0]?.lacking === 0 && differences[0].added === 0 ? 0 : 1,
      ];
      if (!known || isLess(distance, known.distance)) found.set(id, { ...row, distance });
    }
  }
  return [...found.values()];
}

/** Compares lists of equal length by their first difference. */
function isLess(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}

type WordCounts = ReadonlyMap<string, number>;

function wordCounts(source: string): WordCounts {
  const counts = new Map<string, number>();
  for (const { text } of source.split(/[\r\n]+/).flatMap(wordsOf)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** How many words of one text another one lacks, and how many it adds. */
function differenceOf(before: WordCounts, after: WordCounts): { lacking: number; added: number } {
  const missingFrom = (a: WordCounts, b: WordCounts) =>
    [...a].reduce((sum, [word, count]) => sum + Math.max(0, count - (b.get(word) ?? 0)), 0);
  return { lacking: missingFrom(before, after), added: missingFrom(after, before) };
}

/** Whether a text has more in common with one text than with another one, by their words. */
export function isNearer(text: string, one: string, other: string): boolean {
  const words = wordCounts(text);
  const distanceTo = (each: string) => {
    const { lacking, added } = differenceOf(wordCounts(each), words);
    return lacking + added;
  };
  return distanceTo(one) < distanceTo(other);
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

/**
 * New names of rows of mine whose lasting ids were not known when others deleted them, and that theirs has again: the ids
 * that theirs has, by those of mine.
 */
function idsLearned(
  base: Identified,
  mine: Identified,
  theirs: Identified,
  read: Reader['read'],
): ReadonlyMap<string, string> {
  const [here, inBase] = [new Set(mine.rows), new Set(base.rows)];
  return idsOfSameRows(
    { of: mine, isOpen: id => id !== '' && !isLastingId(id) && !inBase.has(id) },
    { of: theirs, isOpen: id => isLastingId(id) && !here.has(id) && !inBase.has(id) },
    read,
  );
}

/** Rows of a version that may be rows of another one with other ids. */
interface OpenRows {
  of: Identified;
  isOpen(id: string): boolean;
}

/** The ids of such rows in the second version, by those in the first one. */
function idsOfSameRows(first: OpenRows, second: OpenRows, read: Reader['read']): ReadonlyMap<string, string> {
  const [here, there] = [first, second].map(({ of: { text, rows }, isOpen }) => {
    const indexes = rows.flatMap((id, index) => (isOpen(id) ? [index] : []));
    return { text, rows, indexes };
  });
  if (!here?.indexes.length || !there?.indexes.length) return new Map();
  const unitsOf = ({ text, indexes }: typeof here) => {
    const { units } = documentOf(read(text));
    return indexes.flatMap(index => units[index] ?? []);
  };
  const pairs = alignUnits(unitsOf(here), unitsOf(there));
  const idAt = ({ rows, indexes }: typeof here, index: number) => rows[indexes[index] ?? -1] ?? '';
  return new Map([...pairs].map(([index, other]) => [idAt(here, index), idAt(there, other)]));
}

/** A version with new names of its rows. */
export const renamedRows = (version: Identified, names: ReadonlyMap<string, string>): Identified =>
  names.size === 0 ? version : { ...version, rows: version.rows.map(id => names.get(id) ?? id) };

/**
 * New names of rows whose ids are not kept by the server: `sent` is the text that it was sent, `answer` what it made of that,
 * and `known` are the ids that it has answered before. The server may know such a row by an older id, under which others have
 * changed it meanwhile.
 */
export function idsAnswered(
  sent: Identified,
  answer: Identified,
  known: ReadonlySet<string>,
  read: Reader['read'],
): ReadonlyMap<string, string> {
  const [before, after] = [new Set(sent.rows), new Set(answer.rows)];
  return idsOfSameRows(
    { of: sent, isOpen: id => id !== '' && !after.has(id) && !known.has(id) },
    { of: answer, isOpen: id => isLastingId(id) && !before.has(id) },
    read,
  );
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
      if (index !== undefined) sources.set(index, sourceOf(checklist, at));
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
  const idOf = ({ mine: own = -1, theirs: other = -1 }: Origin) => {
    const ids = [theirs.rows[other], mine.rows[own]];
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
