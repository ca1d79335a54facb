import { alignUnits } from './merge/align.ts';
import { documentOf, keyOf } from './merge/units.ts';
import { type Merged, merge } from './merge.ts';
import { sourceOf } from './rows.ts';
import type { Checklist } from './types.ts';

/**
 * Carries the lasting ids of a text's rows to another version of it, which somebody wrote freely: for each row there the
 * id of the row that it was, however it was moved, reworded or ticked, else one that `newId` gives. `ids` has one for
 * each row of `before`; no id comes out twice, even if it stands there twice. Rows that say the same keep their order.
 */
export function align(before: Checklist, ids: readonly string[], after: Checklist, newId: () => string): string[] {
  const [here, there] = [documentOf(before.text, before.statuses), documentOf(after.text, after.statuses)];
  const was = new Map([...alignUnits(here.units, there.units)].map(([index, now]) => [now, index]));
  const taken = new Set<string>();
  return there.units.map((_, index) => {
    const id = ids[was.get(index) ?? -1];
    if (id === undefined || taken.has(id)) return newId();
    taken.add(id);
    return id;
  });
}

/** A text, and the lasting ids of its rows, in the rows' order. */
export interface Identified {
  text: string;
  rows: readonly string[];
}

/** How texts are read, and what gives a new row its id. `like` is a text that the one to be read was made of. */
export interface Reader {
  read(text: string, like?: string): Checklist;
  newId(): string;
}

const keysOf = ({ rows }: Checklist) => rows.map(row => keyOf({ row, content: row.text }));

/**
 * The rows' ids after a change: each row's own, however it was moved or reworded. A row that `before` lacks has the id
 * that it had in the first of the `earlier` texts that says the same, else a new one.
 */
export function carry(
  before: Identified,
  after: string,
  earlier: readonly Identified[],
  { read, newId }: Reader,
): string[] {
  const checklist = read(after, before.text);
  const keys = keysOf(checklist);
  const ids = align(read(before.text), before.rows, checklist, () => '');
  const open = new Set(ids.flatMap((id, index) => (id === '' ? [index] : [])));
  const taken = new Set(ids);
  for (const { text, rows } of earlier) {
    if (open.size === 0) break;
    // Most have no row that is not there.
    if (rows.every(id => taken.has(id))) continue;
    const gone = new Map<string | undefined, string[]>();
    keysOf(read(text)).forEach((key, index) => {
      const id = rows[index];
      if (id === undefined || taken.has(id)) return;
      const same = gone.get(key);
      if (same) same.push(id);
      else gone.set(key, [id]);
    });
    for (const index of open) {
      const id = gone.get(keys[index])?.shift();
      if (id === undefined) continue;
      ids[index] = id;
      taken.add(id);
      open.delete(index);
    }
  }
  return ids.map(id => id || newId());
}

/** `to` with rows added, at the end, that bear one of these ids and are not in it: each as in the first text that has it. */
function withRows(
  to: Identified,
  ids: ReadonlySet<string>,
  texts: readonly Identified[],
  read: Reader['read'],
): Identified {
  const missing = new Set([...ids].filter(id => !to.rows.includes(id)));
  const added: Row[] = [];
  for (const text of texts) {
    if (missing.size === 0) break;
    added.push(...rowsOf(text, read).filter(({ id }) => missing.delete(id)));
  }
  return added.length === 0 ? to : joinRows(to, added);
}

interface Row {
  id: string;
  source: string;
}

/** The rows that can stand anywhere: one without a mark would become a detail of the row above. */
function rowsOf({ text, rows }: Identified, read: Reader['read']): Row[] {
  const checklist = read(text);
  const all = rows.map((id, index) => ({ id, source: sourceOf(checklist, index) }));
  return all.filter(({ source }) => !/^\s*>/.test(source));
}

function joinRows(to: Identified, added: readonly Row[]): Identified {
  const lines = [to.text, ...added.map(({ source }) => source)].filter(Boolean);
  return {
    text: lines.map(line => (line.endsWith('\n') ? line : `${line}\n`)).join(''),
    rows: [...to.rows, ...added.map(({ id }) => id)],
  };
}

/** Those of a text's rows that stood in one of the earlier texts just as they are: their author has left them alone. */
export function unchangedRows(of: Identified, earlier: readonly Identified[], read: Reader['read']): Identified {
  const keyOfRow = ({ id, source }: Row) => `${id} ${source.trimEnd()}`;
  const before = new Set(earlier.flatMap(text => rowsOf(text, read).map(keyOfRow)));
  return joinRows(
    { text: '', rows: [] },
    rowsOf(of, read).filter(row => before.has(keyOfRow(row))),
  );
}

/**
 * Merges two changes of one base, the rows by their ids. A row that both sides brought back is one row, and not two that
 * were added: what each side made of it is told by the first of the `earlier` texts that has it, or else by `mine`.
 */
export function mergeRows(
  start: Identified,
  mine: Identified,
  theirs: Identified,
  earlier: readonly Identified[],
  read: Reader['read'],
): Merged {
  const here = new Set(mine.rows);
  const both = new Set(theirs.rows.filter(id => here.has(id)));
  const base = withRows(start, both, [...earlier, mine], read);
  const known = new Set(base.rows);
  return merge(base.text, mine.text, theirs.text, read(theirs.text).statuses, {
    base: base.rows,
    mine: mine.rows,
    // A row that came anew may be one of the base's all the same, and is told by its text.
    theirs: theirs.rows.map(id => (known.has(id) ? id : undefined)),
  });
}
