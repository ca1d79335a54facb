import { endOf, placeInWords, stepOf } from '../../model/rows/row-moves.ts';
import { extended, noSelection } from '../../model/rows/row-selection.ts';
import type { ListProps } from './list.tsx';
import { focusRow } from './list-dom.ts';

/** What the keys of the list work on: what it shows, and what it can do. */
export interface ListContext extends ListProps {
  list: HTMLElement | null;
  openAdd(index: number): void;
}

export interface Pressed {
  key: string;
  altKey: boolean;
  shiftKey: boolean;
  /** Or Cmd. */
  ctrlKey: boolean;
  /** Key of the row that has the focus. */
  row: number | undefined;
}

/** The rows that something is done to: all that are selected if this one is, else this one. In text order. */
export function targetsOf({ keys, selection, seen }: ListContext, key: number): number[] {
  const index = keys.indexOf(key);
  if (!selection.keys.has(key)) return index < 0 ? [] : [index];
  return seen.shown.filter(each => selection.keys.has(keys[each] ?? -1));
}

/** Puts rows before the one at an index, and says where they are now. */
export function place(context: ListContext, picked: readonly number[], index: number, section: boolean): void {
  const { checklist, actions, latest, say } = context;
  const [first = 0] = picked;
  const before = latest();
  actions.move(
    picked.flatMap(each => checklist.rows[each] ?? []),
    index,
    section,
  );
  const after = latest();
  const row = checklist.rows[first];
  if (!after || after === before || !row) return;
  const above = section ? (index > first ? 1 : 0) : picked.filter(each => each < index).length;
  // A section goes as a whole: what it leaves behind moves up by all of it.
  const length = section ? endOf(checklist, first) - first : 1;
  say(`Moved to ${placeInWords(after, index - above * length)}.`);
}

function move(context: ListContext, key: number, up: boolean): void {
  const { checklist, seen, user, say } = context;
  if (!user.canEditChecklist) return;
  const picked = targetsOf(context, key);
  const step = stepOf(checklist, seen, picked, up);
  if (!step) say(up ? 'Already at the top.' : 'Already at the end.');
  else place(context, picked, step.index, step.section);
}

/** Does what a key stands for. */
export function perform({ key, altKey, shiftKey, ctrlKey, row }: Pressed, context: ListContext): void {
  const { keys, seen, selection, onSelect, list, checklist, user, actions } = context;
  if (row === undefined) return;
  const shown = seen.shown.flatMap(index => keys[index] ?? []);
  const at = shown.indexOf(row);
  const index = keys.indexOf(row);
  const go = (to: number, step: number) => {
    // Rows of somebody who may only read have nothing to focus.
    for (let place = to; place >= 0 && place < shown.length; place += step) {
      const next = shown[place];
      if (next === undefined || !focusRow(list?.querySelector(`[data-key="${next}"]`))) continue;
      if (shiftKey) onSelect(extended(selection, next, shown, row));
      return;
    }
  };
  const remove = () => actions.removeAll(targetsOf(context, row).flatMap(i => checklist.rows[i] ?? []));
  const isHeader = checklist.rows[index]?.kind === 'header';
  if (altKey) move(context, row, key === 'ArrowUp');
  else if (ctrlKey) onSelect({ keys: new Set(shown), anchor: row });
  else if (key === 'ArrowUp') go(at - 1, -1);
  else if (key === 'ArrowDown') go(at + 1, 1);
  else if (key === 'Home') go(0, 1);
  else if (key === 'End') go(shown.length - 1, -1);
  else if (key === 'ArrowLeft' || key === 'ArrowRight') {
    if (isHeader) context.onFold(checklist, index, key === 'ArrowLeft');
  } else if (key === 'Enter') {
    if (user.canAddChecklistItems) context.openAdd(index);
  } else if (key === 'Delete') {
    if (user.canDeleteChecklistItems) remove();
  } else if (key === 'Escape') onSelect(noSelection);
  else context.onHelp();
}
