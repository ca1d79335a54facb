import { useEffect, useRef } from 'react';

/**
 * The open layers of this frame (menus, pickers, popups), one list per window. All close when the window loses focus,
 * and the frame's size follows the document while any is open.
 */
const open = new Set<() => void>();
const listeners = new Set<() => void>();

export const anyLayer = (): boolean => open.size > 0;

/** Subscribes to layers opening and closing. Returns the unsubscribe function. */
export function onLayers(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const closeLayers = (): void => {
  for (const close of open) close();
};

/** Registers an open layer. Returns the function that unregisters it. */
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

/** Registers a component's layer while `isOpen`; calls `close` when the window loses focus. */
export function useLayer(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? addLayer(() => latest.current()) : undefined), [isOpen]);
}
