import { startCompletion } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { type Ref, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { offerDay, saysDay } from '../../../editor/complete/day-offer.ts';
import { fieldEditor } from '../../../editor/field.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import { isoDay } from '../../model/today.ts';
import { useServices } from '../../shell/services/services.ts';
import { createProvider, mountCalendar, TextEditor } from '../../text-editor/text-editor.tsx';
import { useDayOffers } from '../../text-editor/use-day-offers.ts';

/** Whether a text ends with words that say a day, which this field offers as a due date. */
export const endsWithDay = (text: string): Promise<boolean> => saysDay(text, isoDay(new Date()));

/** The input's text and selection. */
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
  /** Text and selection of the plain input that it replaces. */
  start: Typed;
  /** Whether to focus the field when it is mounted. */
  focus: boolean;
  label: string;
  placeholders: { idle: string; focused: string };
  statuses: StatusRegistry;
  onChange(text: string): void;
  onSubmit(): void;
  onEscape(): void;
}

/** The input for new items with the editor's completions. */
export default function AddField({ ref, start, focus, label, placeholders, statuses, ...props }: AddFieldProps) {
  const services = useServices();
  const [{ text, from, to }] = useState(start);
  const [focuses] = useState(focus);
  const offersDays = useDayOffers();
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [view, setView] = useState<EditorView | undefined>(undefined);
  const editor = useRef<EditorView>(undefined);
  /** Focuses synchronously, before the next key: the focused input is unmounted. */
  const onView = useCallback(
    (made: EditorView | undefined) => {
      editor.current = made;
      setView(made);
      made?.dispatch({ selection: { anchor: from, head: to } });
      if (focuses) made?.focus();
    },
    [from, to, focuses],
  );
  const [extensions] = useState(() =>
    fieldEditor({
      label,
      lines: true,
      enterSaves: true,
      placeholders,
      statuses,
      provider: createProvider(services),
      calendar: mountCalendar,
      offersDays,
      save: () => latest.current.onSubmit(),
      cancel: () => latest.current.onEscape(),
      changed: now => latest.current.onChange(now),
    }),
  );
  useImperativeHandle(
    ref,
    () => ({
      typed: () => {
        const currentView: EditorView | undefined = editor.current;
        const { from: start, to: end } = currentView?.state.selection.main ?? { from, to };
        return { text: currentView?.state.doc.toString() ?? text, from: start, to: end };
      },
      set: next => {
        const currentView: EditorView | undefined = editor.current;
        if (!currentView || currentView.state.doc.toString() === next) return;
        const changes = { from: 0, to: currentView.state.doc.length, insert: next };
        currentView.dispatch({ changes, selection: { anchor: next.length } });
      },
      focus: () => {
        const currentView: EditorView | undefined = editor.current;
        currentView?.focus();
      },
    }),
    [text, from, to],
  );
  useEffect(() => {
    if (!view || !focuses) return;
    // The last typed character triggered this; complete it unless the text has changed.
    if (view.state.doc.toString() !== text) return;
    startCompletion(view);
    offerDay(view);
  }, [view, focuses, text]);
  return <TextEditor text={text} extensions={extensions} onView={onView} />;
}
