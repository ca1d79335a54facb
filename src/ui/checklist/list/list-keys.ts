import type { KeyboardEvent, RefObject } from 'react';
import { flushSync } from 'react-dom';
import { hasKey, runCommand } from '../../commands/command.ts';
import { typeInto } from '../../kit/early-text.tsx';
import { extendSelection } from '../../model/rows/row-keys.ts';
import { trackerOf } from '../../shell/services/services.ts';
import { type RowTarget, rowCommands } from '../row/row-commands.ts';
import { openPart } from '../row/use-open-part.ts';
import { listCommands } from './list-commands.ts';
import { focusRow, keyAt, mainControlOf } from './list-dom.ts';
import { type ListContext, targetsOf } from './list-moves.ts';

const elementOf = ({ list }: ListContext, key: number | undefined): Element | null | undefined =>
  list?.querySelector(`:scope > [data-key="${key}"]`);

/** The row with a stable key as the target of commands, with all selected rows if it is one of them. */
export function targetOf(context: ListContext, key: number | undefined): RowTarget | undefined {
  const row = key === undefined ? undefined : context.checklist.rows[context.keys.indexOf(key)];
  if (!row || key === undefined) return undefined;
  const { user, checklist } = context;
  return {
    row,
    rows: targetsOf(context, key).flatMap(index => checklist.rows[index] ?? []),
    may: context.may,
    user,
    actions: context.actions,
    services: context.services,
    list: context,
    open: part => openPart(elementOf(context, key), part),
  };
}

/** Focuses another row. */
function go({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent, row: number, context: ListContext): boolean {
  if (altKey || ctrlKey || metaKey) return false;
  const { keys, visible, selection, onSelect } = context;
  const shown = visible.shown.flatMap(index => keys[index] ?? []);
  const at = shown.indexOf(row);
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
    if (next === undefined || !focusRow(elementOf(context, next))) continue;
    if (shiftKey) onSelect(extendSelection(selection, next, shown, row));
    break;
  }
  return true;
}

/** Shows the rest of a long list before a command that goes beyond the rows that are there. */
function extend({ key, ctrlKey, metaKey }: KeyboardEvent, row: number, context: ListContext): void {
  const { keys, selection, onMore } = context;
  const { more, shown } = context.visible;
  const last = keys[shown.at(-1) ?? -1];
  const isAtEnd = last !== undefined && (row === last || selection.keys.has(last));
  if (more > 0 && (ctrlKey || metaKey || key === 'End' || (key === 'ArrowDown' && isAtEnd)))
    flushSync(() => onMore(true));
}

type List = RefObject<ListContext | undefined>;

/** Runs the command of a key at a row. Returns whether there is one. */
function press(event: KeyboardEvent, row: number | undefined, list: List): boolean {
  if (row === undefined) return false;
  if (list.current) extend(event, row, list.current);
  const { current: context } = list;
  const target = context && targetOf(context, row);
  if (!target) return false;
  if (go(event, row, context) || pressRow(event, target)) return true;
  const { controls = {}, services } = context;
  const command = Object.values(listCommands).find(each => hasKey(each, event));
  return command !== undefined && runCommand(command, controls, trackerOf(services));
}

/** Runs the command of rows that has a key. Returns whether there is one. */
export function pressRow(event: KeyboardEvent, target: RowTarget): boolean {
  const command = rowCommands.find(each => hasKey(each, event) && each.isOffered(target));
  return command !== undefined && runCommand(command, target, trackerOf(target.services));
}

/**
 * Empties a queue of pressed keys: runs their commands in order, each at the row where the one before has led to, as if
 * this chunk had been there from the first.
 */
export function perform(queue: KeyboardEvent[], list: List): void {
  const events = queue.splice(0);
  /** The rows where the keys pressed at a row have led to. */
  const led = new Map<number | undefined, number | undefined>();
  for (const [at, event] of events.entries()) {
    const from = keyAt(event.target);
    const row = led.has(from) ? led.get(from) : from;
    const hasFocus = keyAt(document.activeElement) === row;
    flushSync(() => (at === 0 ? pressFirst(event, row, list) : pressAgain(event, row, queue, list)));
    if (hasFocus) led.set(from, keyAt(document.activeElement));
  }
}

/** Presses a key whose default was prevented when it was queued. */
function pressFirst(event: KeyboardEvent, row: number | undefined, list: List): void {
  if (!press(event, row, list) && (event.key === 'Enter' || event.key === ' ')) click(event.target);
}

/**
 * Presses a key at a row that may be another one than it was pressed at. An open part of the row takes the key first. A
 * character that follows the key that has opened a field is typed there.
 */
function pressAgain(event: KeyboardEvent, row: number | undefined, queue: KeyboardEvent[], list: List): void {
  const isText = event.key.length === 1 && !(event.ctrlKey || event.metaKey || event.altKey);
  if (typeInto(document.activeElement, isText ? event.key : '')) return;
  const element = list.current && elementOf(list.current, row);
  const main = element && mainControlOf(element);
  if (!main) return;
  const isFree = main.dispatchEvent(new globalThis.KeyboardEvent('keydown', event.nativeEvent));
  for (const queued of queue.splice(0)) pressFirst(queued, row, list);
  if (isFree && event.key === ' ') click(main);
}

const click = (target: EventTarget | null) => target instanceof HTMLElement && target.click();
