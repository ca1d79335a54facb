import { type RefObject, useEffect, useMemo, useRef } from 'react';

/** The panes of the screen, in the order of F6. */
export interface Panes {
  list: RefObject<HTMLDivElement | null>;
  text: RefObject<HTMLElement | null>;
  side: RefObject<HTMLElement | null>;
  /** Moves the focus to the list. */
  toList(): void;
}

/** The element of each pane that takes the focus. */
const entrances = { list: '[tabindex="0"]', text: '.cm-content', side: '[aria-selected="true"]' } as const;

/** F6 moves the focus to the next pane, Shift+F6 to the previous one. */
export function usePanes(): Panes {
  const list = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLElement>(null);
  const side = useRef<HTMLElement>(null);
  const panes = useMemo((): Panes => {
    const enter = (pane: 'list' | 'text' | 'side') =>
      ({ list, text, side })[pane].current?.querySelector<HTMLElement>(entrances[pane])?.focus();
    return { list, text, side, toList: () => enter('list') };
  }, []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const order: readonly ('list' | 'text' | 'side')[] = event.shiftKey
        ? ['side', 'text', 'list']
        : ['list', 'text', 'side'];
      const here = (pane: 'list' | 'text' | 'side') => panes[pane].current?.contains(document.activeElement) ?? false;
      const at = order.findIndex(here);
      for (const pane of [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0))]) {
        // A pane may be hidden in a narrow window.
        panes[pane].current?.querySelector<HTMLElement>(entrances[pane])?.focus();
        if (here(pane)) return;
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [panes]);
  return panes;
}
