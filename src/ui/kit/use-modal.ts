import { type KeyboardEvent, type RefObject, type SyntheticEvent, useEffect, useRef } from 'react';

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
