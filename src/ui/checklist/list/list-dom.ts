import type { KeyboardEvent } from 'react';

/** Whether somebody types there, where undoing is about what was typed. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'));

/** What a row is told by in the document. */
const rowAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('li[data-key]') : null;

/** The key of the row that something is in. */
export function keyAt(target: EventTarget | null): number | undefined {
  const key = rowAt(target)?.dataset.key;
  return key === undefined ? undefined : Number(key);
}

/** The control that stands for a row: what ticks it, else whatever else it has. */
export const mainOf = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>('[data-main]:not(:disabled)') ?? row.querySelector<HTMLElement>('button');

/** Answers whether there is something in it to take the focus. */
export function focusRow(row: Element | null | undefined): boolean {
  const control = row ? mainOf(row) : null;
  control?.focus();
  return control !== null;
}

const everywhere = /^(ArrowUp|ArrowDown)$/;
const onMain = /^(Arrow(Up|Down|Left|Right)|Home|End|Enter|Delete|Escape|\?)$/;

/** Whether the list answers to a key: with Alt on all of a row's controls, otherwise on the one that stands for the row. */
export function isOwnKey({ target, key, altKey, ctrlKey, metaKey, defaultPrevented }: KeyboardEvent): boolean {
  const row = rowAt(target);
  if (!row || defaultPrevented || isTyping(target)) return false;
  if (altKey) return everywhere.test(key);
  if (target !== mainOf(row)) return key === 'Escape';
  return ctrlKey || metaKey ? key.toLowerCase() === 'a' : onMain.test(key);
}
