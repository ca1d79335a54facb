import type { KeyboardEvent } from 'react';

/** Whether the target is a text input, with its own undo. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'));

/**
 * The meaning of a key, in upper case; on a keyboard of another script, the letter of a Latin keyboard. A character
 * that is typed with AltGr means itself.
 */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'code' | 'getModifierState'>): string {
  const { key, code } = event;
  if (key.length > 1) return key;
  return (key > '~' && !event.getModifierState('AltGraph') ? code.replace(/^Key/, '') : key).toUpperCase();
}
