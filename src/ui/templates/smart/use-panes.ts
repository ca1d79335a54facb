import { type RefObject, useEffect, useMemo, useRef } from 'react';

/** The parts of the screen, in the order in which F6 goes through them. */
export interface Panes {
  list: RefObject<HTMLDivElement | null>;
  text: RefObject<HTMLElement | null>;
  side: RefObject<HTMLElement | null>;
  /** Gives the keys to the list. */
  toList(): void;
}

/** What in a part takes the focus. */
const entrances = { list: '[tabindex="0"]', text: '.cm-content', side: '[aria-selected="true"]' } as const;

/** F6 goes from part to part, with Shift backwards, as in the windows of a desktop. */
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
        // One may be out of sight where there is little width.
        panes[pane].current?.querySelector<HTMLElement>(entrances[pane])?.focus();
        if (here(pane)) return;
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [panes]);
  return panes;
}
