import { type KeyboardEvent, type RefObject, type SyntheticEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { useLayer } from './use-layer.ts';

/** Focus event handlers for the container. */
export interface FocusFallback {
  onFocus(): void;
  onBlur(): void;
}

/**
 * Restores the focus for lists whose elements can disappear without user action: if the focused element is removed,
 * `find` returns the element to focus. A focus outside the list is left as it is.
 */
export function useFocusFallback(find: () => HTMLElement | null | undefined): FocusFallback {
  const focused = useRef(false);
  useLayoutEffect(() => {
    // A removed element fires no blur event.
    const hadFocus: boolean = focused.current;
    if (hadFocus && document.activeElement === document.body) find()?.focus();
  });
  const handlers = useRef<FocusFallback>({
    onFocus: () => {
      focused.current = true;
    },
    onBlur: () => {
      focused.current = false;
    },
  });
  return handlers.current;
}

/**
 * Returns the focus when what was open in `box` closes: to the control whose `data-opens` has the name that is in the
 * returned ref, else to `box`. Set the name on opening; without one the focus stays where it is.
 */
export function useOpener(
  isOpen: boolean,
  box: RefObject<HTMLElement | null>,
  first?: string,
): RefObject<string | undefined> {
  const opener = useRef(first);
  useEffect(() => {
    if (isOpen || opener.current === undefined) return;
    const control = box.current?.querySelector<HTMLElement>(`[data-opens="${CSS.escape(opener.current)}"]`);
    opener.current = undefined;
    (control ?? box.current)?.focus();
  }, [isOpen, box]);
  return opener;
}

/** Focuses a control that has been waited for, unless the focus went on from what contains the control. */
export function focusAwaited(control: HTMLElement | null | undefined): void {
  if (control && document.activeElement?.contains(control)) control.focus();
}

/** Returns the focus from a layer that is removed to where it was before, else to `fallback`. */
export function useFocusReturn(box: RefObject<Element | null>, fallback?: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const { current: layer } = box;
    return () => {
      const { activeElement, body } = document;
      if (activeElement !== body && !layer?.contains(activeElement)) return;
      const isThere = before instanceof HTMLElement && before !== body && before.isConnected;
      (isThere ? before : fallback?.current)?.focus();
    };
  }, [box, fallback]);
}

/**
 * A modal dialog inside the app's frame: a `<dialog>`, whose focus and backdrop are the browser's. While it is open, the
 * focus stays inside. The kit's (`@atlaskit/modal-dialog` 17.1.1) adds 20 kB of script and 1 kB of style after gzip to
 * the parts of the kit that the panel has.
 */
export interface Modal {
  ref: RefObject<HTMLDialogElement | null>;
  /** Closes the dialog, then calls `then`. */
  leave(then: () => void): void;
  close(): void;
  onCancel(event: SyntheticEvent): void;
}

/** Opens the dialog on mount, with the focus on `first`. */
export function useModal(onClose: () => void, first?: RefObject<HTMLElement | null>): Modal {
  const ref = useRef<HTMLDialogElement>(null);
  // The browser returns the focus from a dialog that is closed, not from a dialog that is removed.
  useFocusReturn(ref);
  useEffect(() => {
    ref.current?.showModal();
    // A button is not focusable before that, so that `autoFocus` has no effect.
    first?.current?.focus();
  }, [first]);
  const leave = (then: () => void) => {
    ref.current?.close();
    then();
  };
  const close = () => leave(onClose);
  useLayer(true, close, true);
  return {
    ref,
    leave,
    close,
    onCancel: event => {
      event.preventDefault();
      close();
    },
  };
}

/** Keeps a handled key from everything else. */
export function keepKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
  event.nativeEvent.stopImmediatePropagation();
}
