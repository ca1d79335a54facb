import type { KeyboardEvent, RefObject } from 'react';
import { flushSync } from 'react-dom';
import { keyText } from '../../../editor/commands/keys.ts';
import { sections } from '../../../text/progress.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { typeInto } from '../../kit/early-text.tsx';
import { extended, noSelection } from '../../model/rows/row-keys.ts';
import { endOf, positionText, stepOf } from '../../model/rows/row-moves.ts';
import { hasSections, keysOfPart, type Part } from '../row/use-open-part.ts';
import type { ListProps } from './list.tsx';
import { focusRow, keyAt, keyOf, mainOf } from './list-dom.ts';

/** The list's state and commands for its keys. */
export interface ListContext extends Omit<ListProps, 'context'> {
  list: HTMLElement | null;
  openAdd(index: number): void;
}

interface Pressed {
  /** As `keyOf` has it. */
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
  return !header || picked.every(each => headerAbove(checklist, each) === header) ? '' : ` to ${header.words}`;
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

/** Opens the closed sections around a row, and a long list, and focuses the row. A filter may still hide it. */
export function showRow(context: RefObject<ListContext | undefined>, row: Row): void {
  if (!context.current) return;
  const { checklist, visible, keys, onFold, onMore, list, say } = context.current;
  const index = checklist.rows.indexOf(row);
  if (index < 0) return;
  const isShown = () => focusRow(list?.querySelector(`[data-key="${keys[index]}"]`));
  flushSync(() => {
    for (const { header, end } of sections(checklist))
      if (header < index && index < end && visible.folded.has(header)) onFold(checklist, header, false);
  });
  if (isShown()) return;
  if (visible.more > 0) flushSync(() => onMore(true));
  if (!isShown()) say('A filter hides this item.');
}

function move({ context, key }: Target, up: boolean): void {
  const { checklist, visible, say } = context;
  const picked = targetsOf(context, key);
  const step = stepOf(checklist, visible, picked, up);
  if (!step) say(up ? 'Already at the top.' : 'Already at the end.');
  else moveRows(context, picked, step.index, step.section);
}

/** The row that a command is for. */
interface Target {
  context: ListContext;
  row: Row;
  index: number;
  /** The row's stable key. */
  key: number;
}

/** A command of the list: the source of its keys, their help and the palette, as the editor's table is. */
export interface ListCommand {
  id: string;
  title: string;
  /** For the palette, where the title explains the key. */
  label?: string;
  /** As in the editor's table: `Alt-ArrowUp`. The first is the one that is shown. */
  keys?: readonly string[];
  /** Whether it applies to the row and is permitted. */
  enabled(target: Target): boolean;
  run(target: Target): void;
}

const elementOf = ({ context: { list }, key }: Target): Element | null | undefined =>
  list?.querySelector(`:scope > [data-key="${key}"]`);

const isItem = ({ row }: Target) => row.kind === 'checkbox';
const canEdit = ({ context: { user } }: Target) => user.canEditChecklist;
const canEditItem = (target: Target) => isItem(target) && canEdit(target);
const canChangeStatus = (target: Target) => isItem(target) && target.context.user.canChangeItemStatuses;
const canMove = (target: Target) => canEdit(target) && target.context.checklist.rows.length > 1;
const isHeader = ({ row }: Target) => row.kind === 'header';
const isFolded = ({ context, index }: Target) => context.visible.folded.has(index);
const always = () => true;

/** A command that opens a part of the row. The row itself handles the key, so that it opens without this chunk. */
function opens(part: Part, title: string, enabled: ListCommand['enabled']): ListCommand {
  const keys = keysOfPart(part);
  const press = (target: Target) => {
    const row = elementOf(target);
    const main = row && mainOf(row);
    main?.focus();
    main?.dispatchEvent(
      new globalThis.KeyboardEvent('keydown', { key: keys[0] ?? '', bubbles: true, cancelable: true }),
    );
  };
  return { id: part, title, keys, enabled, run: press };
}

/** A command that shows a section to customers of the portal, or hides it. */
const customers = (title: string, shows: boolean): ListCommand => ({
  id: shows ? 'showToCustomers' : 'hideFromCustomers',
  title,
  enabled: target => canEdit(target) && target.row.kind === 'header' && target.row.customers !== shows,
  run: ({ context: { actions }, row }) => {
    if (row.kind === 'header') actions.setSection(row, { customers: shows });
  },
});

const rowsOf = ({ context, key }: Target) =>
  targetsOf(context, key).flatMap(index => context.checklist.rows[index] ?? []);
const itemsOf = (target: Target) => rowsOf(target).filter(row => row.kind === 'checkbox');

/** What a user can do with a row, in the palette's order. */
export const listCommands: readonly ListCommand[] = [
  {
    id: 'toggle',
    title: 'Tick or untick',
    keys: ['Space'],
    enabled: canChangeStatus,
    run: ({ context, row }) => row.kind === 'checkbox' && context.actions.toggle(row),
  },
  opens('status', 'Set status…', canChangeStatus),
  opens('assignee', 'Assign…', canEditItem),
  {
    id: 'assignToMe',
    title: 'Assign to me',
    keys: ['I'],
    enabled: target => canEditItem(target) && !target.context.user.isAnonymous,
    run: target => {
      const { actions, user } = target.context;
      const items = itemsOf(target).filter(({ assignee }) => assignee !== user.id);
      if (items.length > 0) actions.assign(items, user.id);
    },
  },
  opens('due', 'Set due date…', canEditItem),
  {
    id: 'mandatory',
    title: 'Toggle mandatory',
    keys: ['!'],
    enabled: canEditItem,
    run: target =>
      target.row.kind === 'checkbox' && target.context.actions.setMandatory(itemsOf(target), !target.row.mandatory),
  },
  opens('text', 'Edit text', canEdit),
  opens('details', 'Edit details', canEdit),
  {
    id: 'add',
    title: 'Add an item below, or in the section',
    label: 'Add an item here',
    keys: ['N'],
    enabled: ({ context: { user } }) => user.canAddChecklistItems,
    run: ({ context, index }) => context.openAdd(index),
  },
  {
    id: 'moveUp',
    title: 'Move row or section up',
    keys: ['Alt-ArrowUp'],
    enabled: canMove,
    run: target => move(target, true),
  },
  {
    id: 'moveDown',
    title: 'Move row or section down',
    keys: ['Alt-ArrowDown'],
    enabled: canMove,
    run: target => move(target, false),
  },
  opens('section', 'Move to section…', target => canEditItem(target) && hasSections(target.context.checklist)),
  opens('convert', 'Convert to issue…', canEditItem),
  opens('gates', 'Gate before a status…', target => canEdit(target) && isHeader(target)),
  customers('Show to customers', true),
  customers('Hide from customers', false),
  {
    id: 'delete',
    title: 'Delete the row or the selected rows',
    label: 'Delete',
    keys: ['Delete', 'Backspace'],
    enabled: ({ context: { user } }) => user.canDeleteChecklistItems,
    run: target => target.context.actions.removeAll(rowsOf(target)),
  },
  {
    id: 'fold',
    title: 'Collapse section',
    keys: ['ArrowLeft'],
    enabled: target => isHeader(target) && !isFolded(target),
    run: ({ context, index }) => context.onFold(context.checklist, index, true),
  },
  {
    id: 'unfold',
    title: 'Expand section',
    keys: ['ArrowRight'],
    enabled: target => isHeader(target) && isFolded(target),
    run: ({ context, index }) => context.onFold(context.checklist, index, false),
  },
  {
    id: 'selectAll',
    title: 'Select all rows',
    keys: ['Mod-A'],
    enabled: always,
    run: ({ context: { keys, visible, onSelect }, key }) =>
      onSelect({ keys: new Set(visible.shown.flatMap(index => keys[index] ?? [])), anchor: key }),
  },
  {
    id: 'clearSelection',
    title: 'Clear the selection',
    keys: ['Escape'],
    enabled: ({ context }) => context.selection.keys.size > 0,
    run: ({ context }) => context.onSelect(noSelection),
  },
  {
    id: 'search',
    title: 'Search a list of 15 rows or more',
    keys: ['/'],
    enabled: always,
    run: ({ context: { list } }) => list?.closest('main')?.querySelector<HTMLElement>('.check-search')?.focus(),
  },
  {
    id: 'help',
    title: 'Show or hide this help',
    keys: ['?'],
    enabled: always,
    run: ({ context }) => context.onHelp(),
  },
];

/** The row with a stable key as a command's target. */
export function targetOf(context: ListContext, key: number | undefined): Target | undefined {
  const index = key === undefined ? -1 : context.keys.indexOf(key);
  const row = context.checklist.rows[index];
  return row && key !== undefined ? { context, row, index, key } : undefined;
}

/** Focuses another row. */
function go({ key, shiftKey }: Pressed, target: Target): boolean {
  const { keys, visible, selection, onSelect } = target.context;
  const shown = visible.shown.flatMap(index => keys[index] ?? []);
  const at = shown.indexOf(target.key);
  const last = shown.length - 1;
  const ways: Record<string, readonly [to: number, step: number]> = {
    ArrowUp: [at - 1, -1],
    ArrowDown: [at + 1, 1],
    Home: [0, 1],
    End: [last, -1],
  };
  const [to, step] = ways[key] ?? [0, 0];
  if (step === 0) return false;
  // Skips read-only rows without a control.
  for (let at = to; at >= 0 && at <= last; at += step) {
    const next = shown[at];
    if (next === undefined || !focusRow(elementOf({ ...target, key: next }))) continue;
    if (shiftKey) onSelect(extended(selection, next, shown, target.key));
    break;
  }
  return true;
}

/** Shows the rest of a long list before a command that goes beyond the rows that are there. */
function extend({ key, ctrlKey, row }: Pressed, { keys, visible: { more, shown }, selection, onMore }: ListContext) {
  const last = keys[shown.at(-1) ?? -1];
  const atEnd = last !== undefined && (row === last || selection.keys.has(last));
  if (more > 0 && (ctrlKey || key === 'End' || (key === 'ArrowDown' && atEnd))) flushSync(() => onMore(true));
}

const runs = (event: KeyboardEvent, row: number | undefined, list: RefObject<ListContext | undefined>) => {
  const { altKey, shiftKey, ctrlKey, metaKey } = event;
  const pressed = { key: keyOf(event), altKey, shiftKey, ctrlKey: ctrlKey || metaKey, row };
  if (list.current) extend(pressed, list.current);
  if (list.current) run(pressed, list.current);
};

/**
 * Empties a queue of pressed keys: runs their commands in order, each at the row where the one before has led to, as if
 * this chunk had been there from the first.
 */
export function perform(queue: KeyboardEvent[], list: RefObject<ListContext | undefined>): void {
  const events = queue.splice(0);
  /** Where the keys pressed at a row have led to. */
  const led = new Map<number | undefined, number | undefined>();
  for (const [at, event] of events.entries()) {
    const from = keyAt(event.target);
    const row = led.has(from) ? led.get(from) : from;
    const hasFocus = keyAt(document.activeElement) === row;
    if (at === 0) flushSync(() => runs(event, row, list));
    else flushSync(() => again(event, row, queue, list));
    if (hasFocus) led.set(from, keyAt(document.activeElement));
  }
}

/**
 * Presses a key at a row that may be another one than it was pressed at: the row or the list handles it. What follows the
 * key that has opened a field is typed there.
 */
function again(
  event: KeyboardEvent,
  row: number | undefined,
  queue: KeyboardEvent[],
  list: RefObject<ListContext | undefined>,
): void {
  const isText = event.key.length === 1 && !(event.ctrlKey || event.metaKey || event.altKey);
  if (typeInto(document.activeElement, isText ? event.key : '')) return;
  const element = list.current?.list?.querySelector(`:scope > [data-key="${row}"]`);
  const main = element && mainOf(element);
  if (!main) return;
  const isFree = main.dispatchEvent(new globalThis.KeyboardEvent('keydown', event.nativeEvent));
  for (const own of queue.splice(0)) runs(own, row, list);
  if (isFree && event.key === ' ') main.click();
}

function run(pressed: Pressed, context: ListContext): void {
  const target = targetOf(context, pressed.row);
  if (!target) return;
  const { key, altKey, ctrlKey } = pressed;
  if (!altKey && !ctrlKey && go(pressed, target)) return;
  const name = `${altKey ? 'Alt-' : ''}${ctrlKey ? 'Mod-' : ''}${key}`;
  const command = listCommands.find(({ keys }) => keys?.includes(name));
  if (command?.enabled(target)) command.run(target);
}

/** The key of the palette that is shown, as the editor's; the other one is Mod-Shift-P. */
export const paletteKey = 'F1';

/** Keys as users read them: each alternative of each command, and those that no command has. */
export const listKeys: readonly (readonly [readonly string[], string])[] = [
  [['↑', '↓'], 'Go to the row above or below'],
  [['Home', 'End'], 'Go to the first or last row'],
  [['Shift+↑', 'Shift+↓'], 'Select rows'],
  ...listCommands.map(({ keys = [], title }) => [keys.map(key => keyText({ key })), title] as const),
  [[keyText({ key: 'Mod-C' })], 'Copy the selected rows'],
  [['Shift+F10'], 'Open the row’s menu'],
  [[paletteKey, keyText({ key: 'Mod-Shift-p' })], 'Search all commands'],
  [[keyText({ key: 'Mod-z' })], 'Undo'],
  [[keyText({ key: 'Mod-Shift-z' })], 'Redo'],
  [['Shift+Enter'], 'While adding: another line'],
];
