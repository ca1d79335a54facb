import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { diffView } from '../../editor/diff-view.ts';
import type { CalendarRequest } from '../../editor/index.ts';
import { loadChunk } from '../shell/lazy-screen.tsx';
import './text-editor.css';

interface Props {
  /** The initial text. Another value creates another editor; edits are not passed back here. */
  text: string;
  /** Fixed for the editor's life; settings change by `setX()` transactions. */
  extensions: Extension;
  /**
   * Called with the view when it is created, and with `undefined` when it is destroyed. Must be stable, or the editor
   * is recreated.
   */
  onView(view: EditorView | undefined): void;
}

/** A CodeMirror view in React, created in an effect and destroyed in its cleanup, so strict mode is safe. */
export function TextEditor({ text, extensions, onView }: Props) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = container.current;
    if (!parent) return;
    const view = new EditorView({ doc: text, extensions, parent });
    onView(view);
    return () => {
      onView(undefined);
      view.destroy();
    };
  }, [text, extensions, onView]);
  return <div className="editor-text" ref={container} />;
}

/** A text with its insertions and deletions since another one. */
export function TextDifference({ before, after }: { before: string; after: string }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = container.current;
    if (!parent) return undefined;
    const view = new EditorView({ doc: after, parent, extensions: diffView(before, 'Difference') });
    return () => view.destroy();
  }, [before, after]);
  return <div className="text-difference" ref={container} />;
}

/** Mounts the lazy calendar into an element; shows its loading and error state. Returns the unmount function. */
export function mountCalendar(parent: HTMLElement, request: CalendarRequest): () => void {
  let unmounted = false;
  let remove: (() => void) | undefined;
  const status = parent.appendChild(document.createElement('p'));
  status.className = 'editor-calendar-status';
  status.role = 'status';
  status.textContent = 'Loading…';
  loadChunk('calendar', () => import('./days.tsx')).then(
    ({ mountDayPicker }) => {
      if (unmounted) return;
      status.remove();
      remove = mountDayPicker(parent, request);
    },
    () => {
      status.textContent = "We couldn't load the calendar.";
    },
  );
  return () => {
    unmounted = true;
    remove?.();
  };
}
