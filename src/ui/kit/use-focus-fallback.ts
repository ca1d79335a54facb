import { useLayoutEffect, useRef } from 'react';

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
