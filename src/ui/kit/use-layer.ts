import { useEffect, useEffectEvent } from 'react';
import { type Layer, openLayers, setLayers } from './layers.ts';

/** Closes popups when the window loses focus. */
export const closeLayers = (): void => {
  for (const { close, stays } of openLayers()) if (!stays) close(false);
};

/**
 * Closes the innermost layer at Escape, and keeps the key from everything else: the host would close the dialog around
 * the frame. A popup gets it before what has the focus, except a text editor, which closes its own popups first.
 */
function closeInnermost(event: KeyboardEvent): void {
  const top = openLayers().at(-1);
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
    setLayers(next);
    const listen = next.length > 0 ? 'addEventListener' : 'removeEventListener';
    window[listen]('blur', closeLayers);
    // The host listens at the window: the document comes before it.
    window[listen]('keydown', closeInnermost as EventListener, true);
    document[listen]('keydown', closeInnermost as EventListener);
  };
  change([...openLayers(), layer]);
  return () => change(openLayers().filter(each => each !== layer));
}

/**
 * Registers a component's layer while `isOpen`: `close` is called at Escape while it is the innermost, and for a popup
 * when the window loses focus.
 */
export function useLayer(isOpen: boolean, close: Layer['close'], stays = false): void {
  const latest = useEffectEvent(close);
  useEffect(() => (isOpen ? addLayer({ close: withFocus => latest(withFocus), stays }) : undefined), [isOpen, stays]);
}
