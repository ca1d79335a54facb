import type { EditorState, StateCommand } from '@codemirror/state';
import { builtInStatuses, type Status } from '../../domain/statuses.ts';
import { setMandatory as setMandatoryOf, setStatus, toggleChecked } from '../../text/edits.ts';
import { isWritable } from '../../text/status-registry.ts';
import type { CheckboxRow } from '../../text/types.ts';
import { checklistOf, statuses } from '../checklist.ts';
import { forEach, type SelectedRow, type Step, selectedItems, textCommand } from './rows.ts';

/** A command on the selected items; without such items, other commands get the key. */
const itemCommand = (step: (state: EditorState, items: readonly SelectedRow<CheckboxRow>[]) => Step): StateCommand =>
  textCommand(state => {
    const items = selectedItems(state);
    return items.length === 0 ? undefined : step(state, items);
  });

/** Whether the selection touches an item. */
export const inItem = (state: EditorState): boolean => selectedItems(state).length > 0;

/** Whether all selected items are such. */
const everyItem = (state: EditorState, such: (row: CheckboxRow) => boolean): boolean => {
  const items = selectedItems(state);
  return items.length > 0 && items.every(({ row }) => such(row));
};

export const isDone = (state: EditorState): boolean => everyItem(state, ({ status }) => status.checked);
export const isMandatory = (state: EditorState): boolean => everyItem(state, ({ mandatory }) => mandatory);

/** Ticks the selected items; when all of them are complete already, it unticks them. */
export const toggleDone: StateCommand = itemCommand((state, items) => {
  const checklist = checklistOf(state);
  const checked = items.every(({ row }) => row.status.checked);
  const changedItems = items.filter(({ row }) => row.status.checked === checked);
  return {
    changes: forEach(changedItems, ({ target }) => toggleChecked(checklist, target)),
    said: checked ? 'Not done' : 'Done',
  };
});

/** Gives the selected items the status that follows the first one's, in the order of the menu, from the last to the first. */
export const nextStatus: StateCommand = itemCommand((state, items) => {
  const checklist = checklistOf(state);
  const current = builtInStatuses.findIndex(({ slug }) => slug === items[0]?.row.status.slug);
  const next = builtInStatuses[(current + 1) % builtInStatuses.length] ?? builtInStatuses[0];
  return { changes: forEach(items, ({ target }) => setStatus(checklist, target, next.slug)), said: next.name };
});

/** Gives the selected items a status. */
export const giveStatus = ({ slug, name }: Status): StateCommand =>
  itemCommand((state, items) => ({
    changes: forEach(items, ({ target }) => setStatus(checklistOf(state), target, slug)),
    said: name,
  }));

/** The statuses that a user can assign to an item of this text. */
export const assignableStatuses = (state: EditorState): readonly Status[] => {
  const registry = state.facet(statuses);
  return registry.list.filter(status => isWritable(registry, status));
};

/** Makes the selected items mandatory; when all of them are, it makes none so. */
export const toggleMandatory: StateCommand = itemCommand((state, items) => {
  const mandatory = !items.every(({ row }) => row.mandatory);
  return {
    changes: forEach(items, ({ target }) => setMandatoryOf(checklistOf(state), target, mandatory)),
    said: mandatory ? 'Mandatory' : 'Not mandatory',
    ...(mandatory && { done: 'mandatory' }),
  };
});
