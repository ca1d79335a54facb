import { EditorSelection, Facet, type StateCommand } from '@codemirror/state';
import { DateRef, Mention } from '../../../grammar/parser.terms.ts';
import * as edits from '../../text/edits.ts';
import { inLineReferences, tailOf } from '../../text/references.ts';
import { checklistOf, rowAt } from '../checklist.ts';
import { picks } from '../complete/picker.ts';
import { provider } from '../provider.ts';
import { forEach, selectedItems, textCommand } from './rows.ts';

/** The account id of the user. */
export const me = Facet.define<string, string | undefined>({ combine: given => given[0] });

/**
 * Starts a completion at an item's mention or date: in place of the one at the line's end, else behind the text.
 * Applies to the main cursor's item.
 */
const ask = (trigger: '@' | '//', type: number, said: string): StateCommand =>
  textCommand(state => {
    const checklist = checklistOf(state);
    const placed = rowAt(checklist, state.doc.lineAt(state.selection.main.head).from);
    if (placed?.row.kind !== 'checkbox') return undefined;
    const end = placed.start + placed.row.content.to;
    const tail = tailOf(inLineReferences(checklist, placed.index), checklist.text, end);
    const old = tail.find(reference => reference.type === type);
    const gap = end > 0 && !/\s/.test(checklist.text[end - 1] ?? '') ? ' ' : '';
    const change = old ? { from: old.from, to: old.to, insert: trigger } : { from: end, insert: gap + trigger };
    const { from, insert } = change;
    return {
      changes: change,
      selection: EditorSelection.single(from + insert.length),
      effects: [picks(from, insert)],
      said,
    };
  });

/** Starts the completion of a person at the end of the item. */
export const askPerson: StateCommand = ask('@', Mention, 'Type a name');

/** Starts the completion of a day at the end of the item. */
export const askDay: StateCommand = ask('//', DateRef, 'Type a date');

/** Assigns the selected items to the user. */
export const assignToMe: StateCommand = textCommand(state => {
  const items = selectedItems(state);
  const accountId = state.facet(me);
  if (items.length === 0 || accountId === undefined) return undefined;
  const checklist = checklistOf(state);
  return {
    changes: forEach(items, ({ target }) => edits.setAssignee(checklist, target, accountId)),
    said: 'Assigned to you',
    done: 'assigned',
  };
});

/** Unassigns the selected items. */
export const unassign: StateCommand = textCommand(state => {
  const items = selectedItems(state);
  if (items.length === 0) return undefined;
  const checklist = checklistOf(state);
  const nameOf = (accountId: string) => state.facet(provider).person(accountId)?.name;
  return {
    changes: forEach(items, ({ target }) => edits.clearAssignee(checklist, target, nameOf)),
    said: 'Not assigned',
  };
});

/** Takes the days out of the selected items. */
export const clearDay: StateCommand = textCommand(state => {
  const items = selectedItems(state);
  if (items.length === 0) return undefined;
  const checklist = checklistOf(state);
  return {
    changes: forEach(items, ({ target }) => edits.clearDueDate(checklist, target)),
    said: 'No due date',
  };
});
