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
      const there = (['list', 'text', 'side'] as const).filter(pane =>
        panes[pane].current?.querySelector(entrances[pane]),
      );
      const at = there.findIndex(pane => panes[pane].current?.contains(document.activeElement));
      const step = event.shiftKey ? (at < 0 ? 0 : -1) : 1;
      const next = there[(at + step + there.length) % there.length];
      if (next) panes[next].current?.querySelector<HTMLElement>(entrances[next])?.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [panes]);
  return panes;
}
