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

/** Closes the popups that a press is outside of. */
function closeAtPress({ target }: Event): void {
  for (const { box, close } of openLayers())
    if (box && target instanceof Node && !box.current?.contains(target)) close(false);
}

/** Closes the popups that the focus leaves. It goes nowhere if the window loses it, and if a calendar renders again. */
function closeAtBlur({ target, relatedTarget: to }: FocusEvent): void {
  const isIn = (box: Layer['box'], node: EventTarget | null) => node instanceof Node && box?.current?.contains(node);
  for (const { box, close } of openLayers())
    if (isIn(box, target) && to instanceof Node && !isIn(box, to)) close(false);
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
    document[listen]('pointerdown', closeAtPress, true);
    document[listen]('focusout', closeAtBlur as EventListener);
  };
  change([...openLayers(), layer]);
  return () => change(openLayers().filter(each => each !== layer));
}

/**
 * Registers a component's layer while `isOpen`: `close` is called at Escape while it is the innermost, for a popup when the
 * window loses focus, and for one with a box when the user goes on outside of it.
 */
export function useLayer(isOpen: boolean, close: Layer['close'], stays = false, box?: Layer['box']): void {
  const latest = useEffectEvent(close);
  useEffect(
    () => (isOpen ? addLayer({ close: withFocus => latest(withFocus), stays, box }) : undefined),
    [isOpen, stays, box],
  );
}
