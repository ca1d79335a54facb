import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { isTyping } from '../../kit/typing.ts';
import { mainControlOf } from '../list/list-dom.ts';

/** A row's popups and editors, of which one can be open. */
export type Part =
  | 'menu'
  | 'section'
  | 'convert'
  | 'status'
  | 'assignee'
  | 'due'
  | 'text'
  | 'details'
  /** A section's gates, and the open items before them. */
  | 'gates'
  | 'openItems';

const texts: readonly Part[] = ['text', 'details'];

/** Rejected text with the error. */
export interface Draft {
  text: string;
  message: string;
}

export interface OpenPart {
  part: Part | undefined;
  draft: Draft | undefined;
  root: RefObject<HTMLDivElement | null>;
  /** Whether a mouse or a pen is over the row. */
  hovered: boolean;
  open(part: Part, draft?: Draft): void;
  /** `withFocus`: restores the focus. */
  close(part: Part, withFocus: boolean): void;
  /** Whether a plain field has the keys until the open one is there (`HeldField`). */
  isHeld: boolean | undefined;
  /** The field is there. */
  release(): void;
  handlers: {
    onKeyDown(event: KeyboardEvent): void;
    onContextMenu(event: MouseEvent): void;
    onPointerOver(event: PointerEvent): void;
    onPointerLeave(): void;
  };
}

/** Opens a part of a list's row, by the row's element. */
const openers = new WeakMap<Element, OpenPart['open']>();

/** Opens a part of a row from its main control, to which the focus returns. */
export function openPart(row: Element | null | undefined, part: Part): void {
  if (!row) return;
  mainControlOf(row)?.focus();
  openers.get(row)?.(part);
}

/** The open popup or editor of a row. */
export function useOpenPart(): OpenPart {
  const [now, setNow] = useState<{ part: Part; draft: Draft | undefined; isHeld: boolean } | undefined>(undefined);
  const [hovered, setHovered] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const from = useRef<HTMLElement>(null);
  const returns = useRef(false);
  const part = now?.part;
  /** The open part, synchronously; `part` is the rendered one. */
  const showing = useRef<Part>(undefined);

  const open = (wanted: Part, draft?: Draft) => {
    if (showing.current === wanted && !draft) return;
    const { activeElement } = document;
    if (part === undefined && activeElement instanceof HTMLElement)
      from.current = root.current?.contains(activeElement) ? activeElement : null;
    returns.current = false;
    showing.current = wanted;
    setNow({ part: wanted, draft, isHeld: texts.includes(wanted) && !draft });
  };
  const close = (closed: Part, withFocus: boolean) => {
    // A menu reports its closing again after a choice.
    if (showing.current !== closed) return;
    showing.current = undefined;
    returns.current = withFocus;
    setNow(undefined);
  };
  useEffect(() => {
    const row = root.current?.closest('li');
    if (row) openers.set(row, open);
  });
  useEffect(() => {
    // After unmounting: a menu traps the focus.
    if (part !== undefined || !returns.current) return;
    returns.current = false;
    const back = from.current?.isConnected ? from.current : root.current && mainControlOf(root.current);
    back?.focus();
  }, [part]);
  return {
    part,
    draft: now?.draft,
    root,
    hovered,
    open,
    close,
    isHeld: now?.isHeld,
    release: () => setNow(now => now && { ...now, isHeld: false }),
    handlers: {
      onKeyDown: event => {
        const { key, target, defaultPrevented, shiftKey } = event;
        // Events of the row's menus bubble through React from a portal.
        const within = target instanceof Node && root.current?.contains(target);
        if (!within || defaultPrevented || isTyping(target)) return;
        const isMain = root.current !== null && target === mainControlOf(root.current);
        if (isMain && showing.current && key !== 'Tab') {
          // Not a command: the key is for the popup that is loading.
          if (key === 'Escape') close(showing.current, true);
          return event.preventDefault();
        }
        if (key === 'ArrowDown' && target instanceof HTMLElement && target.matches('[aria-haspopup=menu]'))
          target.click();
        else if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) open('menu');
        else return;
        event.preventDefault();
      },
      onContextMenu: event => {
        // The keyboard's; a pointer gets the browser's menu.
        if (part === 'menu') event.preventDefault();
      },
      // A finger does not hover. Not "enter": React misses it when what was under the pointer is removed.
      onPointerOver: ({ pointerType }) => setHovered(pointerType !== 'touch'),
      onPointerLeave: () => setHovered(false),
    },
  };
}
