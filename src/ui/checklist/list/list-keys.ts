import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Checklist } from '../../../text/types.ts';
import { extended, noSelection } from '../../model/rows/row-keys.ts';
import { endOf, positionText, stepOf } from '../../model/rows/row-moves.ts';
import type { ListProps } from './list.tsx';
import { focusRow } from './list-dom.ts';

/** The list's state and commands for its keys. */
export interface ListContext extends ListProps {
  list: HTMLElement | null;
  openAdd(index: number): void;
}

export interface Pressed {
  key: string;
  altKey: boolean;
  shiftKey: boolean;
  /** Ctrl or Cmd. */
  ctrlKey: boolean;
  /** Key of the row that has the focus. */
  row: number | undefined;
}

/** The rows that a command applies to: all selected ones if this one is selected, else this one. In text order. */
export function targetsOf({ keys, selection, visible }: ListContext, key: number): number[] {
  const index = keys.indexOf(key);
  if (!selection.keys.has(key)) return index < 0 ? [] : [index];
  return visible.shown.filter(each => selection.keys.has(keys[each] ?? -1));
}

const headerAbove = ({ rows }: Checklist, index: number) =>
  rows.findLast((row, at) => at < index && row.kind === 'header');

/** The section that rows move to, for their label; nothing if they stay in theirs. */
function sectionLabel(checklist: Checklist, picked: readonly number[], index: number): string {
  const header = headerAbove(checklist, index);
  return !header || picked.every(each => headerAbove(checklist, each) === header) ? '' : ` to ${header.text}`;
}

/** Moves rows before the one at an index and announces their new position. */
export function moveRows(context: ListContext, picked: readonly number[], index: number, section: boolean): void {
  const { checklist, actions, latest, say } = context;
  const [first = 0] = picked;
  const before = latest();
  actions.move(
    picked.flatMap(each => checklist.rows[each] ?? []),
    index,
    section,
    section ? '' : sectionLabel(checklist, picked, index),
  );
  const after = latest();
  const row = checklist.rows[first];
  if (!after || after === before || !row) return;
  const above = section ? (index > first ? 1 : 0) : picked.filter(each => each < index).length;
  // Moved down, a section shifts the target by its whole length.
  const length = section ? endOf(checklist, first) - first : 1;
  say(`Moved to ${positionText(after, index - above * length)}.`);
}

function move(context: ListContext, key: number, up: boolean): void {
  const { checklist, visible, user, say } = context;
  if (!user.canEditChecklist) return;
  const picked = targetsOf(context, key);
  const step = stepOf(checklist, visible, picked, up);
  if (!step) say(up ? 'Already at the top.' : 'Already at the end.');
  else moveRows(context, picked, step.index, step.section);
}

/** Shows the rest of a long list before a command that goes beyond the rows that are there. */
function extend({ key, ctrlKey, row }: Pressed, { keys, visible: { more, shown }, selection, onMore }: ListContext) {
  const last = keys[shown.at(-1) ?? -1];
  const atEnd = last !== undefined && (row === last || selection.keys.has(last));
  if (more > 0 && (ctrlKey || key === 'End' || (key === 'ArrowDown' && atEnd))) flushSync(() => onMore(true));
}

/** Runs the command of a key. */
export function perform(pressed: Pressed, list: RefObject<ListContext | undefined>): void {
  if (list.current) extend(pressed, list.current);
  if (list.current) run(pressed, list.current);
}

function run({ key, altKey, shiftKey, ctrlKey, row }: Pressed, context: ListContext): void {
  const { keys, visible, selection, onSelect, list, checklist, user, actions } = context;
  if (row === undefined) return;
  const shown = visible.shown.flatMap(index => keys[index] ?? []);
  const at = shown.indexOf(row);
  const index = keys.indexOf(row);
  const go = (to: number, step: number) => {
    // Skips read-only rows without a control.
    for (let at = to; at >= 0 && at < shown.length; at += step) {
      const next = shown[at];
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
  } else if (key === '/') list?.closest('main')?.querySelector<HTMLElement>('.check-search')?.focus();
  else if (key === 'Escape') onSelect(noSelection);
  else context.onHelp();
}

const mac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');
const ctrl = mac ? '⌘' : 'Ctrl';
const alt = mac ? '⌥' : 'Alt';

/** Key combinations of the list with their descriptions. */
export const listKeys: readonly (readonly [readonly string[], string])[] = [
  [['↑', '↓'], 'Go to the row above or below'],
  [['Home', 'End'], 'Go to the first or last row'],
  [['Space'], 'Tick an item, or open and close a section'],
  [['Enter'], 'Add an item below, or in the section'],
  [[alt, '↑ ↓'], 'Move the row, the section or the selected rows'],
  [['←', '→'], 'Close or open a section'],
  [['Shift', '↑ ↓'], 'Select rows'],
  [[ctrl, 'A'], 'Select all rows'],
  [[ctrl, 'C'], 'Copy the selected rows'],
  [['/'], 'Search a list of 15 rows or more'],
  [['Delete'], 'Delete the row or the selected rows'],
  [['Esc'], 'Clear the selection, or close an empty field'],
  [[ctrl, 'Z'], 'Undo'],
  [[ctrl, 'Shift', 'Z'], 'Redo'],
  [['Shift', 'Enter'], 'While adding: another line'],
  [['?'], 'Show or hide this help'],
];
