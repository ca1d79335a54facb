import { type EditorState, type Extension, StateEffect, StateField, type Transaction } from '@codemirror/state';
import { createRowId } from '../domain/row-id.ts';
import type { Identified } from '../text/identity.ts';
import { alignUnits } from '../text/merge/align.ts';
import { isLastingId, provisionalId } from '../text/merge/pairing.ts';
import { documentOf } from '../text/merge/units.ts';
import { readChecklist } from '../text/read.ts';
import { lastRowBefore, sourceOf } from '../text/rows.ts';
import type { Checklist } from '../text/types.ts';
import { checklistField } from './checklist.ts';
import { renamedIds } from './collaboration/renamed-ids.ts';
import { storedVersions } from './collaboration/stored-version.ts';

/**
 * The lasting ids of the rows in an editor. A row keeps its id whatever is typed into it and wherever it is moved, so that
 * merges, conflicts and the cursor find it again. A new row gets an id here, which the server takes over with the text.
 */
interface RowIds {
  /** One for each row. */
  readonly ids: readonly string[];
  /** The ids of deleted rows by their text: undo, and a paste of what was cut, bring the row back. */
  readonly deleted: ReadonlyMap<string, string>;
  /** The ids of rows that were deleted here and that others brought back, by the text that was deleted. */
  readonly returned: ReadonlyMap<string, string>;
  /** The ids of rows that were split, by the ids of their new parts. */
  readonly parts: ReadonlyMap<string, string>;
}

/** Undo can bring back this many deleted rows with their ids. */
const MAX_DELETED_ROWS = 500;

let provisionalCount = 0;

/** The ids of a text that was not typed here. A row without a known id gets an id that is valid in this page only. */
export function knownIds(ids: readonly string[] | undefined, rowCount: number): readonly string[] {
  const completeIds = ids?.length === rowCount ? ids : Array.from<string>({ length: rowCount }).fill('');
  return completeIds.map(id => id || provisionalId(++provisionalCount));
}

/** The lasting ids of rows; '' for an id that is valid in this page only. */
export const lastingIdsOf = (ids: readonly string[]): string[] => ids.map(id => (isLastingId(id) ? id : ''));

/** Says which ids the rows have after a transaction that was not typed here. */
export const setRowIds = StateEffect.define<readonly string[]>();

/** The rows that a range from one line to another touches, as a range of indexes. */
const touched = (checklist: Checklist, from: number, to: number) => ({
  first: Math.max(0, lastRowBefore(checklist, from)),
  end: lastRowBefore(checklist, to) + 1,
});

/** How much more a character of a row's words says about the row than one of its mark and details. */
const WORDS_WEIGHT = 1_000;

/** The rows that a change replaced: `from` is the first such row in both readings. */
interface ChangedRows {
  from: number;
  oldEnd: number;
  end: number;
}

/** The rows between the unchanged rows at both ends. */
function changedRows({ rows: old }: Checklist, { rows }: Checklist): ChangedRows {
  const least = Math.min(old.length, rows.length);
  let from = 0;
  while (from < least && old[from] === rows[from]) from++;
  let same = 0;
  while (same < least - from && old[old.length - 1 - same] === rows[rows.length - 1 - same]) same++;
  return { from, oldEnd: old.length - same, end: rows.length - same };
}

/**
 * Pairs of old and new rows, by the characters that stayed: those with the most first. If rows were joined, the first
 * one that gave words goes before: its mark is the row's. A row that others know goes before one that is new.
 */
function rowPairs(
  { changes }: Transaction,
  isStored: (index: number) => boolean,
  old: Checklist,
  now: Checklist,
  { from: first, oldEnd }: ChangedRows,
): [number, number][] {
  const weights = new Map<string, { pair: [number, number]; weight: number }>();
  const add = (index: number, other: number, weight: number) => {
    const key = `${index} ${other}`;
    const knownWeight = weights.get(key);
    if (knownWeight) knownWeight.weight += weight;
    else weights.set(key, { pair: [index, other], weight });
  };
  const overlap = (from: number, to: number, start: number, end: number) =>
    Math.max(0, Math.min(to, end) - Math.max(from, start));
  changes.iterGaps((from, to, length) => {
    const shift = to - from;
    for (let index = Math.max(first, lastRowBefore(old, from)); index < oldEnd; index++) {
      const [row, start] = [old.rows[index], old.starts[index]];
      if (!row || start === undefined || start >= from + length) break;
      const [rowFrom, rowTo] = [Math.max(start, from), Math.min(start + row.length, from + length)];
      if (rowFrom >= rowTo) continue;
      const rows = touched(now, rowFrom + shift, rowTo - 1 + shift);
      for (let other = rows.first; other < rows.end; other++) {
        const [there, begin] = [now.rows[other], now.starts[other]];
        if (!there || begin === undefined) continue;
        const sharedChars = overlap(rowFrom + shift, rowTo + shift, begin, begin + there.length);
        const sharedWordChars = overlap(
          Math.max(rowFrom, start + row.content.from) + shift,
          Math.min(rowTo, start + row.content.to) + shift,
          begin + there.content.from,
          begin + there.content.to,
        );
        if (sharedChars > 0) add(index, other, sharedChars + sharedWordChars * WORDS_WEIGHT);
      }
    }
  });
  const firstOf = new Map<number, number>();
  for (const { pair, weight } of weights.values()) {
    const [index, other] = pair;
    if (weight < WORDS_WEIGHT) continue;
    const first = firstOf.get(other) ?? index;
    const isBefore = isStored(index) === isStored(first) ? index < first : isStored(index);
    firstOf.set(other, isBefore ? index : first);
  }
  const inOrder = [...weights.values()]
    .sort((a, b) => b.weight - a.weight || a.pair[0] - b.pair[0] || a.pair[1] - b.pair[1])
    .map(({ pair }) => pair);
  return [...inOrder.filter(([index, other]) => firstOf.get(other) === index), ...inOrder];
}

/** Pairs of deleted and new rows, by their texts. */
function similarRows(
  old: Checklist,
  deleted: readonly number[],
  now: Checklist,
  added: readonly number[],
): [number, number][] {
  if (deleted.length === 0 || added.length === 0) return [];
  const unitsOf = (checklist: Checklist, indexes: readonly number[]) => {
    const { units } = documentOf(checklist);
    return indexes.flatMap(index => units[index] ?? []);
  };
  return [...alignUnits(unitsOf(old, deleted), unitsOf(now, added))].map(([index, other]) => [
    deleted[index] ?? -1,
    added[other] ?? -1,
  ]);
}

/** A reworded row that comes back is compared with this many rows: the ones deleted last. */
const MAX_COMPARED_ROWS = 50;

/** Rows that became details, were typed in there, and are rows again, with the ids that they had. */
function reworded(deleted: ReadonlyMap<string, string>, now: Checklist, added: readonly number[]): [string, number][] {
  if (deleted.size === 0 || added.length === 0) return [];
  const last = [...deleted].slice(-MAX_COMPARED_ROWS);
  const gone = readChecklist(last.map(([source]) => source).join('\n'), now.statuses);
  if (gone.rows.length !== last.length) return [];
  return similarRows(gone, [...last.keys()], now, added).flatMap(([index, other]) => {
    const [, id] = last[index] ?? [];
    return id === undefined ? [] : [[id, other] as [string, number]];
  });
}

/** The part of each split row that is left where the one with the row's stored id is gone: the rest of a row is that row. */
function partsLeft(
  stored: Identified | undefined,
  gone: readonly string[],
  parts: ReadonlyMap<string, string>,
  ids: readonly (string | undefined)[],
): [string, number][] {
  const storedIds = new Set(stored?.rows);
  const isPartOf = (id: string) => (part: string | undefined) =>
    part !== undefined && !storedIds.has(part) && parts.get(part) === id;
  return gone.flatMap(id => {
    const index = storedIds.has(id) ? ids.findIndex(isPartOf(id)) : -1;
    return index < 0 ? [] : [[id, index] as [string, number]];
  });
}

function forgetOldest(deleted: Map<string, string>): void {
  const oldest = [...deleted.keys()].slice(0, Math.max(0, deleted.size - MAX_DELETED_ROWS));
  for (const source of oldest) deleted.delete(source);
}

/** The rows with their new ids. */
function withRenamed(rows: RowIds, transaction: Transaction): RowIds {
  const renamed = renamedIds(transaction);
  if (!renamed) return rows;
  const named = (id: string) => renamed.get(id) ?? id;
  const renamedIn = (sources: ReadonlyMap<string, string>) =>
    new Map([...sources].map(([source, id]) => [source, named(id)]));
  return {
    ids: rows.ids.map(named),
    deleted: renamedIn(rows.deleted),
    returned: renamedIn(rows.returned),
    parts: new Map([...rows.parts].map(([part, id]) => [named(part), named(id)])),
  };
}

/**
 * The ids after a remote change. Undo may bring back a row that the change deleted, and another user may have kept that
 * row.
 */
function receiveIds(rows: RowIds, next: readonly string[], { startState, state }: Transaction): RowIds {
  const { ids, deleted, parts } = rows;
  const receivedIds = new Set(next);
  const earlierIds = new Set(ids);
  const returned = new Map([...rows.returned].filter(([, id]) => receivedIds.has(id)));
  for (const [source, id] of deleted) if (receivedIds.has(id) && !earlierIds.has(id)) returned.set(source, id);
  const lacking = ids.flatMap((id, index) => (receivedIds.has(id) ? [] : [[id, index] as const]));
  if (lacking.length === 0) return { ids: next, deleted, returned, parts };
  const [old, now] = [startState.field(checklistField), state.field(checklistField)];
  // A row that is still there has been given another id.
  const present = new Set(now.rows.map((_, index) => sourceOf(now, index).trim()));
  const gone = new Map(deleted);
  for (const [id, index] of lacking) {
    const source = sourceOf(old, index).trim();
    if (!present.has(source)) gone.set(source, id);
  }
  forgetOldest(gone);
  return { ids: next, deleted: gone, returned, parts };
}

/** The ids after a local change. */
function follow(rows: RowIds, transaction: Transaction): RowIds {
  const { ids, deleted } = rows;
  const [old, now] = [transaction.startState.field(checklistField), transaction.state.field(checklistField)];
  const changed = changedRows(old, now);
  const { from, oldEnd, end } = changed;
  // While a row is being typed in, no other one changes. Undo may put a deleted row in the place of a new one.
  const isTyping = oldEnd === end && end - from <= 1;
  if (isTyping && (from === end || !deleted.has(sourceOf(now, from).trim()))) return rows;
  const next: (string | undefined)[] = [
    ...ids.slice(0, from),
    ...Array.from<undefined>({ length: end - from }),
    ...ids.slice(oldEnd),
  ];
  const usedIds = new Set(next);
  const give = (index: number, id: string | undefined) => {
    if (id === undefined || next[index] !== undefined || usedIds.has(id)) return;
    next[index] = id;
    usedIds.add(id);
  };
  // Undo of a join brings a row back whose words were in another one.
  const present = new Set(ids.slice(from, oldEnd).map((_, index) => sourceOf(old, from + index).trim()));
  for (let index = from; index < end; index++) {
    const source = sourceOf(now, index).trim();
    if (!present.has(source)) give(index, deleted.get(source));
  }
  const [version] = storedVersions(transaction.startState);
  const stored = new Set(version?.rows);
  const isStored = (index: number) => stored.has(ids[index] ?? '');
  const pairs = rowPairs(transaction, isStored, old, now, changed);
  for (const [index, other] of pairs) give(other, ids[index]);
  const gone = new Map(deleted);
  ids.slice(from, oldEnd).forEach((id, index) => {
    if (!usedIds.has(id)) gone.set(sourceOf(old, from + index).trim(), id);
  });
  for (let index = from; index < end; index++) {
    if (next[index] !== undefined) continue;
    const source = sourceOf(now, index).trim();
    const deletedId = gone.get(source);
    give(index, deletedId);
    if (next[index] !== undefined) gone.delete(source);
  }
  // Undo may bring a moved row back to its place without what was typed into it since.
  const unmatchedRows = ids.slice(from, oldEnd).flatMap((id, index) => (usedIds.has(id) ? [] : [from + index]));
  const fresh = () => next.flatMap((id, index) => (id === undefined ? [index] : []));
  for (const [index, other] of similarRows(old, unmatchedRows, now, fresh())) give(other, ids[index]);
  const details = new Set(old.rows.slice(from, oldEnd).flatMap(row => row.details.map(({ text }) => text)));
  const outdented = fresh().filter(index => details.has(now.rows[index]?.text ?? ''));
  // A row that another user has deleted is not in the stored text: if the row comes back, it is a new row.
  const indented = new Map([...gone].filter(([, id]) => stored.has(id)));
  for (const [id, index] of reworded(indented, now, outdented)) give(index, id);
  const lost = ids.slice(from, oldEnd).filter(id => !usedIds.has(id));
  for (const [id, index] of partsLeft(version, lost, rows.parts, next)) next[index] = id;
  forgetOldest(gone);
  // A returned row that the user works on is the user's own again.
  const changedIds = new Set(ids.slice(from, oldEnd));
  const returned = new Map([...rows.returned].filter(([, id]) => !changedIds.has(id)));
  const parts = new Map(rows.parts);
  const nextIds = next.map((id, index) => {
    if (id !== undefined) return id;
    const newId = createRowId();
    const whole = ids[pairs.find(([, other]) => other === index)?.[0] ?? -1];
    if (whole !== undefined && now.rows[index]?.text)
      parts.set(newId, stored.has(whole) ? whole : (parts.get(whole) ?? whole));
    return newId;
  });
  return { ids: nextIds, deleted: gone, returned, parts };
}

/** The rows at the start: those of the stored text that the text does not have were deleted in an earlier page. */
function started(state: EditorState, known?: readonly string[]): RowIds {
  const checklist = state.field(checklistField);
  const ids = knownIds(known, checklist.rows.length);
  const present = new Set(ids);
  const [stored] = storedVersions(state);
  const lacking = (stored?.rows ?? []).flatMap((id, index) =>
    isLastingId(id) && !present.has(id) ? [{ id, index }] : [],
  );
  const old = lacking.length > 0 ? readChecklist(stored?.text ?? '', checklist.statuses, checklist) : checklist;
  const deleted = new Map(lacking.map(({ id, index }) => [sourceOf(old, index).trim(), id]));
  return { ids, deleted, returned: new Map(), parts: new Map() };
}

const field = StateField.define<RowIds>({
  create: state => started(state),
  update(before, transaction) {
    const idsEffect = transaction.effects.find(effect => effect.is(setRowIds));
    const count = transaction.state.field(checklistField).rows.length;
    const current = withRenamed(before, transaction);
    if (idsEffect) return receiveIds(current, knownIds(idsEffect.value, count), transaction);
    return transaction.docChanged ? follow(current, transaction) : current;
  },
});

/** The ids of the rows, in their order. */
export const rowIdsOf = (state: EditorState): readonly string[] => state.field(field).ids;

/** The ids of rows that were deleted in this editor and that others brought back, by the text that was deleted. */
export const returnedRows = (state: EditorState): ReadonlyMap<string, string> => state.field(field).returned;

/** Tracks the rows, which begin with these ids. */
export const rowIds = (ids?: readonly string[]): Extension => field.init(state => started(state, ids));
