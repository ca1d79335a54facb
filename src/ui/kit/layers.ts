import { useEffect, useRef } from 'react';

/**
 * The layers that are open in this frame: menus, pickers, popups. A frame is one window, so there is one list of them.
 * When the window loses focus all close, and the frame's size follows the document while any is open.
 */
const open = new Set<() => void>();
const listeners = new Set<() => void>();

export const anyLayer = (): boolean => open.size > 0;

/** Hears of every layer that opens or closes. Returns the unsubscribe function. */
export function onLayers(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const closeLayers = (): void => {
  for (const close of open) close();
};

/** Registers a layer while it is open. Returns what to call when it has closed. */
export function addLayer(close: () => void): () => void {
  open.add(close);
  if (open.size === 1) window.addEventListener('blur', closeLayers);
  for (const listener of listeners) listener();
  return () => {
    open.delete(close);
    if (open.size === 0) window.removeEventListener('blur', closeLayers);
    for (const listener of listeners) listener();
  };
}

/** For a component that shows a layer: `close` is called when the window loses focus while `isOpen`. */
export function useLayer(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? addLayer(() => latest.current()) : undefined), [isOpen]);
}
