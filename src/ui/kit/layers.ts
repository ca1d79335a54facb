import type { RefObject } from 'react';

/** A layer that is open above the rest of the frame. */
export interface Layer {
  /** `withFocus`: closed by key, so that the focus goes back to the opener. */
  close(withFocus: boolean): void;
  /** A dialog, form or mode: stays when the window loses the focus, and lets what is inside have Escape first. */
  stays: boolean;
  /** The layer's element: a press outside of it, and a focus that leaves it, close the layer. */
  box?: RefObject<Element | null> | undefined;
}

/** The open layers of this frame, the innermost last; one list per window. `use-layer.ts` closes them. */
let open: readonly Layer[] = [];
const listeners = new Set<() => void>();

export const openLayers = (): readonly Layer[] => open;

export function setLayers(next: readonly Layer[]): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Whether any popup is open: then the frame's size follows the document. */
export const anyLayer = (): boolean => open.some(({ stays }) => !stays);

/** Subscribes to layers opening and closing. Returns the unsubscribe function. */
export function onLayers(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
