import { alignUnits } from './merge/align.ts';
import { isLastingId } from './merge/pairing.ts';
import { documentOf, keyOf } from './merge/units.ts';
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
  const earlierDocument = documentOf(before);
  const laterDocument = documentOf(after);
  const alignment = given
    ? alignUnits(earlierDocument.units, laterDocument.units, ids, given)
    : alignUnits(earlierDocument.units, laterDocument.units);
  const was = new Map([...alignment].map(([index, now]) => [now, index]));
  const usedIds = new Set<string>();
  return laterDocument.units.map((_, index) => {
    const id = ids[was.get(index) ?? -1];
    if (id === undefined || usedIds.has(id)) return newId();
    usedIds.add(id);
    return id;
  });
}

/** A text and the ids of its rows, in order. */
export interface Identified {
  text: string;
  rows: readonly string[];
}

/** Reads texts, and makes ids for new rows. `like` is an earlier text, from which only the difference is read. */
export interface Reader {
  read(text: string, like?: string): Checklist;
  newId(): string;
}

/** The keys by which rows of two texts are the same, the stricter key first: the whole source, then the text. */
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
  const usedIds = new Set(ids);
  let like = after;
  for (const { text, rows } of earlier) {
    if (open.size === 0) break;
    // A version all of whose rows are there already is not read.
    if (rows.every(id => usedIds.has(id))) continue;
    const there = read(text, like);
    like = text;
    for (const nameOf of namings) {
      const gone = new Map<string, string[]>();
      rows.forEach((id, index) => {
        if (usedIds.has(id) || index >= there.rows.length) return;
        const name = nameOf(there, index);
        const same = gone.get(name);
        if (same) same.push(id);
        else gone.set(name, [id]);
      });
      for (const index of gone.size > 0 ? open : []) {
        const id = gone.get(nameOf(checklist, index))?.shift();
        if (id === undefined) continue;
        ids[index] = id;
        usedIds.add(id);
        open.delete(index);
      }
    }
  }
  return ids.map(id => id || newId());
}

export interface Row {
  id: string;
  source: string;
  /** The source without the marks before its words. */
  said: string;
}

/** The rows that can stand anywhere: one without a mark would become a detail of the row above. */
export function rowsOf({ text, rows }: Identified, read: Reader['read'], like?: string): Row[] {
  const checklist = read(text, like);
  const identifiedRows = rows.map((id, index) => {
    const source = sourceOf(checklist, index);
    return { id, source, said: source.slice(checklist.rows[index]?.content.from ?? 0) };
  });
  return identifiedRows.filter(({ source }) => !/^\s*>/.test(source));
}

export function joinRows(to: Identified, added: readonly Omit<Row, 'said'>[]): Identified {
  const lines = [to.text, ...added.map(({ source }) => source)].filter(Boolean);
  return {
    text: lines.map(line => (line.endsWith('\n') ? line : `${line}\n`)).join(''),
    rows: [...to.rows, ...added.map(({ id }) => id)],
  };
}

/** The rows of a text that equal rows of an earlier text: unchanged by the author. */
export function unchangedRows(of: Identified, earlier: readonly Identified[], read: Reader['read']): Identified {
  const candidateRows = rowsOf(of, read);
  const changed = new Map(candidateRows.map(({ id, source }) => [id, source.trimEnd()]));
  let like = of.text;
  for (const version of earlier) {
    // A text without the words of any row that is still open is not read.
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
    candidateRows.filter(({ id }) => !changed.has(id)),
  );
}

/** A version in which only rows that differ from the version before have an id; '' for the other rows. */
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

/**
 * New names of rows of mine whose lasting ids were not known when others deleted them, and that theirs has again: the ids
 * that theirs has, by those of mine.
 */
export function idsLearned(
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

/** The ids of the same open rows in the second version, by their ids in the first one. */
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
