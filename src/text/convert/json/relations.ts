import { type Fields, isFields } from './fields.ts';

/*
 * Exports that keep lists, tasks and what belongs to them side by side, as tables of a database do: each refers to what it
 * is in by a field such as `list_id` or `idCard`.
 */

/**
 * Names of objects that can contain others, the innermost first: a task that names both its section and its project
 * belongs to the section.
 */
const holders = ['checklist', 'card', 'task', 'item', 'section', 'list', 'column', 'stack', 'bucket', 'project'];

const rankOf = (name: string) => holders.findIndex(holder => `${holder}s` === name);

/** Which holder a field refers to, as an index; -1 for none. */
function referenceRank(key: string): number {
  const name = key.replace(/_/g, '').toLowerCase();
  return holders.findIndex(holder => name === `${holder}id` || name === `id${holder}`);
}

const placeOf = (fields: Fields) =>
  Number(fields.pos ?? fields.position ?? fields.order ?? fields.child_order ?? fields.section_order ?? 0);

const inOrder = (parts: readonly Fields[]) => [...parts].sort((a, b) => placeOf(a) - placeOf(b) || 0);

/** The values that a field already has under the name of a table. */
const valuesOf = (part: unknown): unknown[] =>
  Array.isArray(part) ? part : part === undefined || part === null || part === '' ? [] : [part];

type Table = readonly [name: string, rows: readonly Fields[]];

const tablesOf = (value: Fields): Table[] =>
  Object.entries(value).flatMap(([name, part]): Table[] =>
    Array.isArray(part) && part.length > 0 && part.every(isFields) ? [[name, part]] : [],
  );

/** The row of an outer table that contains this row. */
function holderOf(
  row: Fields,
  rank: number,
  ids: ReadonlyMap<number, ReadonlyMap<string, Fields>>,
): Fields | undefined {
  const references = Object.entries(row)
    .map(([key, id]) => [referenceRank(key), id] as const)
    .filter(([outer]) => outer > rank)
    .sort(([a], [b]) => a - b);
  for (const [outer, id] of references) {
    const holder = ids.get(outer)?.get(String(id));
    if (holder) return holder;
  }
  return undefined;
}

/** An object whose arrays refer to each other, with each row in what holds it. */
export function assembled(value: Fields): Fields {
  const tables = tablesOf(value);
  const ids = new Map(
    tables.map(([name, rows]) => [rankOf(name), new Map(rows.map(row => [String(row.id), row]))] as const),
  );
  ids.delete(-1);
  if (ids.size === 0 || tables.length < 2) return value;
  const partsOfHolder = new Map<Fields, Map<string, Fields[]>>();
  const loose = new Map<string, Fields[]>();
  for (const [name, rows] of tables)
    for (const row of rows) {
      const holder = holderOf(row, rankOf(name), ids);
      const place = holder ? (partsOfHolder.get(holder) ?? new Map<string, Fields[]>()) : loose;
      if (holder) partsOfHolder.set(holder, place);
      const namedRows = place.get(name);
      if (namedRows) namedRows.push(row);
      else place.set(name, [row]);
    }
  if (partsOfHolder.size === 0) return value;
  const filled = (row: Fields): Fields => withParts(row, partsOfHolder.get(row) ?? new Map());
  const withParts = (row: Fields, parts: ReadonlyMap<string, Fields[]>): Fields => ({
    ...row,
    ...Object.fromEntries(
      [...parts].map(([name, rows]) => [name, [...valuesOf(row[name]), ...inOrder(rows).map(filled)]]),
    ),
  });
  const remainingEntries = Object.entries(value).filter(([name]) => !tables.some(([table]) => table === name));
  return withParts(Object.fromEntries(remainingEntries), loose);
}
