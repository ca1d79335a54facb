import { useEffect, useEffectEvent } from 'react';

/** Keys that lead elsewhere, or have no effect on a text. */
const nonTextKeys = /^(Tab|Escape|Shift|Control|Alt|AltGraph|Meta|CapsLock|ContextMenu)$/;

/**
 * Gives a key that no field has to the frame's main text: Safari's engine ignores `focus()` in a cross-site frame until
 * the user has acted in it. `take` focuses the text; it gets the key's character, or '' for another key: the text's own
 * commands get that, else the browser, such as for pasting.
 */
export function useFirstKey(take: ((character: string) => void) | undefined): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, isComposing, defaultPrevented } = event;
    const { activeElement, body } = document;
    const isFree = activeElement === null || activeElement === body || activeElement === document.documentElement;
    if (!take || !isFree || defaultPrevented || nonTextKeys.test(key)) return;
    if (document.querySelector('dialog[open], [role=alertdialog], [role=menu]')) return;
    // The key is for a selection elsewhere, such as copying from the preview.
    if ((ctrlKey || metaKey) && getSelection()?.isCollapsed === false) return;
    // A key with Alt may be a character, as with an AltGr key.
    const isCharacter = [...key].length === 1 && !isComposing && !ctrlKey && !metaKey;
    take(isCharacter ? key : '');
    const isTaken = isCharacter || document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', event)) === false;
    if (isTaken) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
