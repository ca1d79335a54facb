import type { EditorView } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { fieldEditor } from '../../editor/field.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import { useBridge } from '../app/hooks.ts';
import { mountCalendar } from '../editor/calendar.ts';
import { createProvider } from '../editor/provider.ts';
import { TextEditor } from '../editor/view.tsx';

/** What is typed, and what of it is selected. */
export interface Typed {
  text: string;
  from: number;
  to: number;
}

export interface TypedField {
  typed(): Typed;
  set(text: string): void;
  focus(): void;
}

export interface AddFieldProps {
  ref: Ref<TypedField>;
  /** What was typed before this came. */
  start: Typed;
  /** The field has the focus as soon as it is there. */
  focus: boolean;
  label: string;
  placeholder: string;
  statuses: StatusRegistry;
  onChange(text: string): void;
  onSubmit(): void;
  onEscape(): void;
}

/** The input for new items with the completions of the large editor. */
export default function AddField({ ref, start, focus, label, placeholder, statuses, ...props }: AddFieldProps) {
  const bridge = useBridge();
  const [{ text, from, to }] = useState(start);
  const [focuses] = useState(focus);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [view, onView] = useState<EditorView | undefined>(undefined);
  const [extensions] = useState(() =>
    fieldEditor({
      label,
      lines: true,
      enterSaves: true,
      placeholder,
      statuses,
      provider: createProvider(bridge),
      calendar: mountCalendar,
      save: () => latest.current.onSubmit(),
      cancel: () => latest.current.onEscape(),
      changed: now => latest.current.onChange(now),
    }),
  );
  useImperativeHandle(
    ref,
    () => ({
      typed: () => {
        const { from = 0, to = 0 } = view?.state.selection.main ?? {};
        return { text: view?.state.doc.toString() ?? '', from, to };
      },
      set: next => {
        if (view && view.state.doc.toString() !== next) {
          const changes = { from: 0, to: view.state.doc.length, insert: next };
          view.dispatch({ changes, selection: { anchor: next.length } });
        }
      },
      focus: () => view?.focus(),
    }),
    [view],
  );
  useEffect(() => {
    if (!view) return;
    view.dispatch({ selection: { anchor: from, head: to } });
    if (!focuses) return;
    view.focus();
    // What was typed last is what asks for a completion.
    void import('@codemirror/autocomplete').then(({ startCompletion }) => startCompletion(view)).catch(() => undefined);
  }, [view, from, to, focuses]);
  return <TextEditor text={text} extensions={extensions} onView={onView} />;
}
