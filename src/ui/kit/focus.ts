import { type KeyboardEvent, type RefObject, type SyntheticEvent, useEffect, useLayoutEffect, useRef } from 'react';

/** What hears where the focus is. */
export interface FocusFallback {
  onFocus(): void;
  onBlur(): void;
}

/**
 * For what shows things that go by themselves: where one goes that has the focus, `find` says what gets it instead. Nothing
 * is taken from who went elsewhere.
 */
export function useFocusFallback(find: () => HTMLElement | null | undefined): FocusFallback {
  const held = useRef(false);
  useLayoutEffect(() => {
    // What is taken out of the document does not say that it lost the focus.
    const here: boolean = held.current;
    if (here && document.activeElement === document.body) find()?.focus();
  });
  const heard = useRef<FocusFallback>({
    onFocus: () => {
      held.current = true;
    },
    onBlur: () => {
      held.current = false;
    },
  });
  return heard.current;
}

/** A modal dialog inside our frame. While it is open, nothing outside it can take the focus. */
export interface Modal {
  /** The dialog's. */
  ref: RefObject<HTMLDialogElement | null>;
  /** Closes it, and goes on with what comes after. */
  leave(then: () => void): void;
  close(): void;
  onCancel(event: SyntheticEvent): void;
}

/** Opens the dialog as it comes. */
export function useModal(onClose: () => void): Modal {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  const leave = (then: () => void) => {
    ref.current?.close();
    then();
  };
  const close = () => leave(onClose);
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

/** Keeps a key to the dialog: the one around the frame would close by the same. */
export function keepKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
  event.nativeEvent.stopImmediatePropagation();
}
