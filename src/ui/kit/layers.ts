import { useEffect, useEffectEvent } from 'react';

/** What is open above the rest of the frame. */
interface Layer {
  /** `withFocus`: closed by key, so that the focus goes back to the opener. */
  close(withFocus: boolean): void;
  /** A dialog, form or mode: stays when the window loses the focus, and lets what is inside have Escape first. */
  stays: boolean;
}

/**
 * The open layers of this frame, the innermost last; one list per window. Popups close when the window loses focus, and
 * the frame's size follows the document while any is open.
 */
let open: readonly Layer[] = [];
const listeners = new Set<() => void>();

export const anyLayer = (): boolean => open.some(({ stays }) => !stays);

/** Subscribes to layers opening and closing. Returns the unsubscribe function. */
export function onLayers(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const closeLayers = (): void => {
  for (const { close, stays } of open) if (!stays) close(false);
};

/**
 * Closes the innermost layer at Escape, and keeps the key from everything else: the host would close the dialog around
 * the frame. A popup gets it before what has the focus, except a text editor, which closes its own popups first.
 */
function closeTop(event: KeyboardEvent): void {
  const top = open.at(-1);
  if (!top || event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
  const isInEditor = event.target instanceof Element && event.target.closest('.cm-editor, .cm-tooltip');
  if (event.eventPhase === Event.CAPTURING_PHASE && (top.stays || isInEditor)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  top.close(true);
}

/** Registers an open layer. Returns the function that unregisters it. */
export function addLayer(layer: Layer): () => void {
  const change = (next: readonly Layer[]) => {
    open = next;
    const listen = open.length > 0 ? 'addEventListener' : 'removeEventListener';
    window[listen]('blur', closeLayers);
    // The host listens at the window: document comes before it.
    window[listen]('keydown', closeTop as EventListener, true);
    document[listen]('keydown', closeTop as EventListener);
    for (const listener of listeners) listener();
  };
  change([...open, layer]);
  return () => change(open.filter(each => each !== layer));
}

/**
 * Registers a component's layer while `isOpen`: `close` is called at Escape while it is the innermost, and for a popup
 * when the window loses focus.
 */
export function useLayer(isOpen: boolean, close: Layer['close'], stays = false): void {
  const latest = useEffectEvent(close);
  useEffect(() => (isOpen ? addLayer({ close: withFocus => latest(withFocus), stays }) : undefined), [isOpen, stays]);
}
