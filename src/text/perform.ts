import {
  type ChecklistChange,
  type ChecklistEdit,
  type ItemValues,
  keepsRows,
  type RowEdit,
} from '../domain/change.ts';
import { applyChanges, cleanText, replaceText } from './document.ts';
import { normaliseItems } from './edits/normalise.ts';
import { readLine } from './edits/read-line.ts';
import * as edits from './edits.ts';
import { ChangedMeanwhile } from './errors.ts';
import { locate, rangeOf, rowAt, sourceOf } from './rows.ts';
import type { Checklist, Target, TextChange } from './types.ts';

/**
 * The row's own text after each value in turn. The first edit finds the row as it was read; for the others a row is all in
 * its own text, so the rest is not read again. They see it without the line's break, as the edit before has read it to check
 * it: a value costs one reading of the row.
 * The text comes first: it may contain another mention or date, which later values replace.
 */
function updateItem(checklist: Checklist, index: number, values: ItemValues): string {
  const { from, to } = rangeOf(checklist, index);
  const source = checklist.text.slice(from, to);
  const [end = ''] = /\r\n?$|\n$/.exec(source) ?? [];
  let row = source.slice(0, source.length - end.length);
  let isRead = true;
  const { statuses } = checklist;
  function step(edit: (checklist: Checklist, target: Target) => TextChange[]): void {
    const currentChecklist = isRead ? checklist : readLine(row, statuses);
    const [at, start] = isRead ? [index, from] : [0, 0];
    const target = { index: at, text: rowAt(currentChecklist, at).text };
    const changes = edit(currentChecklist, target);
    const inRow = changes.map(change => ({
      ...change,
      from: change.from - start,
      to: (change.to ?? change.from) - start,
    }));
    row = applyChanges(row, inRow);
    isRead = false;
  }
  const { text, details, mandatory, assignee, dueDate, names = {}, gates, customers } = values;
  if (text !== undefined) step((here, row) => edits.rename(here, row, text));
  if (mandatory !== undefined) step((here, row) => edits.setMandatory(here, row, mandatory));
  if (assignee === null)
    step((here, row) => edits.clearAssignee(here, row, id => (Object.hasOwn(names, id) ? names[id] : undefined)));
  else if (assignee !== undefined) step((here, row) => edits.setAssignee(here, row, assignee));
  if (dueDate === null) step((here, row) => edits.clearDueDate(here, row));
  else if (dueDate !== undefined) step((here, row) => edits.setDueDate(here, row, dueDate));
  if (gates !== undefined) step((here, row) => edits.setGates(here, row, gates));
  if (customers !== undefined) step((here, row) => edits.setCustomers(here, row, customers));
  if (details !== undefined) step((here, row) => edits.setDetails(here, row, details));
  return row + end;
}

/** The changes that an edit of one row makes in the present text. */
function rowChanges(checklist: Checklist, edit: RowEdit): TextChange[] {
  if (edit.kind === 'setItemStatus') return edits.setStatus(checklist, edit.target, edit.status);
  if (edit.kind === 'deleteChecklistItem') return edits.deleteRow(checklist, edit.target);
  const index = locate(checklist, edit.target);
  const { from } = rangeOf(checklist, index);
  return replaceText(sourceOf(checklist, index), updateItem(checklist, index, edit.values), from);
}

/** Rows do not touch each other, so their changes go together. A second one of a row finds it changed meanwhile. */
function itemsChanges(checklist: Checklist, rowEdits: readonly RowEdit[]): TextChange[] {
  const placed = new Map(rowEdits.map(edit => [locate(checklist, edit.target), edit]));
  if (placed.size < rowEdits.length) throw new ChangedMeanwhile();
  const ordered = [...placed].sort(([a], [b]) => a - b);
  const changes: TextChange[] = [];
  for (const [, edit] of ordered) {
    changes.push(...rowChanges(checklist, edit));
  }
  return changes;
}

/** The changes of an edit. Throws as `performEdit` does. */
export function changesOf(checklist: Checklist, edit: ChecklistEdit): TextChange[] {
  switch (edit.kind) {
    case 'updateChecklistFromText': {
      const { text } = cleanText(edit.text);
      return text === checklist.text ? [] : [{ from: 0, to: checklist.text.length, insert: text }];
    }
    case 'addChecklistItemsFromText': {
      const end = checklist.rows.length;
      const index = Math.min(Math.max(edit.index ?? end, 0), end);
      return edits.insertRows(checklist, index, normaliseItems(cleanText(edit.text).text));
    }
    case 'setItemStatus':
    case 'updateChecklistItem':
    case 'deleteChecklistItem':
      return rowChanges(checklist, edit);
    case 'changeChecklistItems':
      return itemsChanges(checklist, edit.edits);
    case 'moveChecklistItem': {
      const [header] = edit.targets;
      if (edit.section && header) return edits.moveSection(checklist, header, edit.index);
      return edits.moveRows(checklist, edit.targets, edit.index);
    }
    case 'clearChecklist':
      return edits.clear(checklist);
  }
}

/**
 * Applies an edit to a checklist and returns the text. Used by both the browser (optimistically) and the server. Throws
 * the edits' errors: `ChangedMeanwhile`, `EditRefused`, `ItemsRequired`.
 */
export const performEdit = (checklist: Checklist, edit: ChecklistEdit): string =>
  applyChanges(checklist.text, changesOf(checklist, edit));

/** For each row after an edit that deletes or moves rows the one that it was, by their indexes; `undefined` for other edits. */
function rowOrder(checklist: Checklist, edit: ChecklistChange): readonly number[] | undefined {
  const indexesOf = (targets: readonly Target[]) => new Set(targets.map(target => locate(checklist, target)));
  const without = (rows: ReadonlySet<number>) => [...checklist.rows.keys()].filter(index => !rows.has(index));
  if (edit.kind === 'moveChecklistItem') {
    const [header] = edit.targets;
    const moved = indexesOf(edit.section && header ? edits.sectionOf(checklist, header) : edit.targets);
    const others = without(moved);
    const above = others.filter(index => index < edit.index);
    return [...above, ...[...moved].sort((a, b) => a - b), ...others.slice(above.length)];
  }
  const rowEdits = edit.kind === 'changeChecklistItems' ? edit.edits : [edit];
  const deleted = rowEdits.flatMap(each => (each.kind === 'deleteChecklistItem' ? each.target : []));
  return deleted.length === 0 ? undefined : without(indexesOf(deleted));
}

/**
 * The lasting ids of the rows that an edit makes of a base with the given ids, in their order, '' for a row without one;
 * `undefined` where the edit does not say them. An added row has no id of the base's. Without the base's `checklist`, ids
 * are known only of edits that say them and of those that keep all rows.
 */
export function rowIdsAfter(
  edit: ChecklistChange,
  before: readonly string[],
  checklist?: Checklist,
): readonly string[] | undefined {
  if (keepsRows(edit)) return before;
  if (edit.kind === 'updateChecklistFromText') return edit.rows;
  if (edit.kind !== 'addChecklistItemsFromText')
    return checklist && rowOrder(checklist, edit)?.map(index => before[index] ?? '');
  if (!edit.rows) return undefined;
  const there = new Set(before);
  const { index = before.length } = edit;
  const added = edit.rows.map(id => (there.has(id) ? '' : id));
  return [...before.slice(0, index), ...added, ...before.slice(index)];
}
