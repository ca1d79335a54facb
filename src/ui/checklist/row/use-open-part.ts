import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useLayer } from '../../kit/layers.ts';
import { isTyping, mainOf } from '../list/list-dom.ts';

/** What can be open at a row: one of its layers, or one of its texts to be edited. */
export type Part = 'menu' | 'section' | 'status' | 'assignee' | 'due' | 'text' | 'details';

const texts: readonly Part[] = ['text', 'details'];

/** What was typed and refused, to be typed on. */
export interface Draft {
  text: string;
  message: string;
}

export interface OpenPart {
  part: Part | undefined;
  draft: Draft | undefined;
  root: RefObject<HTMLDivElement | null>;
  open(part: Part, draft?: Draft): void;
  /** `withFocus`: the keyboard is still there, and goes back to where it was. */
  close(part: Part, withFocus: boolean): void;
  keys: {
    onKeyDown(event: KeyboardEvent): void;
    onContextMenu(event: MouseEvent): void;
  };
}

/** What is open at a row, one thing at a time, and the keys that open it. */
export function useOpenPart(canEdit: boolean): OpenPart {
  const [now, setNow] = useState<{ part: Part; draft: Draft | undefined } | undefined>(undefined);
  const root = useRef<HTMLDivElement>(null);
  const from = useRef<HTMLElement>(null);
  const returns = useRef(false);
  const part = now?.part;
  /** At once, while `part` is what is rendered. */
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
    // A menu in which something was chosen tells once more that it closes.
    if (showing.current !== closed) return;
    showing.current = undefined;
    returns.current = withFocus;
    setNow(undefined);
  };
  useEffect(() => {
    // Not before what was open has gone: a menu keeps the focus as long as it is there.
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
        // A menu stands elsewhere in the document, though it is the row's.
        const within = target instanceof Node && root.current?.contains(target);
        if (!within || defaultPrevented || isTyping(target)) return;
        if (key === 'F2' && canEdit) open('text');
        else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) open('menu');
        else return;
        event.preventDefault();
      },
      onContextMenu: event => {
        // That of the keyboard; a pointer's is the browser's own.
        if (part === 'menu') event.preventDefault();
      },
    },
  };
}
