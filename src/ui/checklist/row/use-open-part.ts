import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useLayer } from '../../kit/layers.ts';
import { isTyping, mainOf } from '../list/list-dom.ts';

/** A row's popups and editors, of which one can be open. */
export type Part = 'menu' | 'section' | 'convert' | 'status' | 'assignee' | 'due' | 'text' | 'details';

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
  open(part: Part, draft?: Draft): void;
  /** `withFocus`: restores the focus. */
  close(part: Part, withFocus: boolean): void;
  keys: {
    onKeyDown(event: KeyboardEvent): void;
    onContextMenu(event: MouseEvent): void;
  };
}

/** The open popup or editor of a row, and the keys that open them. */
export function useOpenPart(canEdit: boolean): OpenPart {
  const [now, setNow] = useState<{ part: Part; draft: Draft | undefined } | undefined>(undefined);
  const root = useRef<HTMLDivElement>(null);
  const from = useRef<HTMLElement>(null);
  const returns = useRef(false);
  const part = now?.part;
  /** The open part, synchronously; `part` is the rendered one. */
  const showing = useRef<Part>(undefined);
  useLayer(part !== undefined && !texts.includes(part), () => part && close(part, false));

  const open = (wanted: Part, draft?: Draft) => {
    const { activeElement } = document;
    if (part === undefined && activeElement instanceof HTMLElement)
      from.current = root.current?.contains(activeElement) ? activeElement : null;
    returns.current = false;
    showing.current = wanted;
    setNow({ part: wanted, draft });
  };
  const close = (closed: Part, withFocus: boolean) => {
    // A menu reports its closing again after a choice.
    if (showing.current !== closed) return;
    showing.current = undefined;
    returns.current = withFocus;
    setNow(undefined);
  };
  useEffect(() => {
    // After unmounting: a menu traps the focus.
    if (part !== undefined || !returns.current) return;
    returns.current = false;
    const back = from.current?.isConnected ? from.current : root.current && mainOf(root.current);
    back?.focus();
  }, [part]);
  return {
    part,
    draft: now?.draft,
    root,
    open,
    close,
    keys: {
      onKeyDown: event => {
        const { key, target, defaultPrevented } = event;
        // Events of the row's menus bubble through React from a portal.
        const within = target instanceof Node && root.current?.contains(target);
        if (!within || defaultPrevented || isTyping(target)) return;
        if (key === 'F2' && canEdit) open('text');
        else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) open('menu');
        else return;
        event.preventDefault();
      },
      onContextMenu: event => {
        // The keyboard's; a pointer gets the browser's menu.
        if (part === 'menu') event.preventDefault();
      },
    },
  };
}
