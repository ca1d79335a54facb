import type { KeyboardEvent } from 'react';
import { isTyping } from '../../kit/typing.ts';

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
export const mainOf = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>('[data-main]:not(:disabled)') ?? row.querySelector<HTMLElement>('button');

/** Focuses a row's main control. Returns whether there is one. */
export function focusRow(row: Element | null | undefined): boolean {
  const control = row ? mainOf(row) : null;
  control?.focus();
  return control !== null;
}

const everywhere = /^(ArrowUp|ArrowDown)$/;
const onMain = /^(Arrow(Up|Down|Left|Right)|Home|End|Delete|Backspace|Escape|[?!NI/])$/;

/**
 * What a key means, in upper case; on a keyboard of another script, the letter of a Latin one. A character that is typed
 * with AltGr means itself.
 */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'code' | 'getModifierState'>): string {
  const { key, code } = event;
  if (key.length > 1) return key;
  return (key > '~' && !event.getModifierState('AltGraph') ? code.replace(/^Key/, '') : key).toUpperCase();
}

/**
 * Whether the list handles a key: with Alt on any of a row's controls, otherwise on its main control. `all`: also those
 * that a row handles there.
 */
export function isOwnKey(event: KeyboardEvent, all = false): boolean {
  const { target, altKey, ctrlKey, metaKey, defaultPrevented } = event;
  const key = keyOf(event);
  const row = rowAt(target);
  if (!row || defaultPrevented || isTyping(target)) return false;
  if (altKey) return everywhere.test(key);
  if (target !== mainOf(row)) return key === 'Escape';
  return ctrlKey || metaKey ? key === 'A' : (all ? /^(.|Enter|F2)$/ : onMain).test(key);
}
