import type { KeyboardEvent } from 'react';
import { isTyping, keyOf } from '../../kit/typing.ts';

/** The row's element around a target. */
const rowAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('li[data-key]') : null;

/** The key of the row around a target. */
export function keyAt(target: EventTarget | null): number | undefined {
  const key = rowAt(target)?.dataset.key;
  return key === undefined ? undefined : Number(key);
}

/** The control, the open field or the popup around a target: a click there is none on the row. */
export const controlAt = (target: EventTarget | null): Element | null =>
  target instanceof Element
    ? target.closest('a, button, input, label, summary, form, textarea, select, .check-field, [role$=dialog]')
    : null;

/** A row's main control: its checkbox or toggle, else its first button. */
export const mainControlOf = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>('[data-main]:not(:disabled)') ?? row.querySelector<HTMLElement>('button');

/** Focuses a row's main control. Returns whether there is one. */
export function focusRow(row: Element | null | undefined): boolean {
  const control = row ? mainControlOf(row) : null;
  control?.focus();
  return control !== null;
}

/**
 * The keys of the commands on a row's main control, which wait for the code of the commands; a test compares both. Space
 * ticks without it.
 */
const onMain = /^(Arrow(Up|Down|Left|Right)|Home|End|Delete|Backspace|Escape|Enter|F2|[?!/>ACDEGIMNS])$/;

/**
 * Whether the list handles a key: with Alt, and F2, on any of a row's controls, otherwise on its main control. `isWaiting`:
 * every character waits for the keys before it.
 */
export function isOwnKey(event: KeyboardEvent, isWaiting = false): boolean {
  const { target, altKey, ctrlKey, metaKey, defaultPrevented } = event;
  const key = keyOf(event);
  const row = rowAt(target);
  if (!row || defaultPrevented || isTyping(target)) return false;
  if (altKey) return key === 'ArrowUp' || key === 'ArrowDown';
  if (ctrlKey || metaKey) return key === 'A' && target === mainControlOf(row);
  if (target !== mainControlOf(row)) return key === 'Escape' || key === 'F2';
  return onMain.test(key) || (isWaiting && key.length === 1);
}
