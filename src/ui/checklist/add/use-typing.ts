import { type ComponentType, type RefObject, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { AddFieldProps, Typed, TypedField } from './add-field.tsx';

/** Triggers of completions: a person, an emoji, a status, a day, an issue. */
const completes = /[@:[]|\/\/|\b[A-Z][A-Z0-9_]+-/;

const loadField = () => import('./add-field.tsx');

export interface Typing {
  plain: RefObject<HTMLTextAreaElement | null>;
  field: RefObject<TypedField | null>;
  value: string;
  /** The current text, possibly not rendered yet. */
  latest: RefObject<string>;
  /** The editor field, and the plain input's text and selection when it is replaced. */
  rich: { Field: ComponentType<AddFieldProps>; start: Typed } | undefined;
  typed(): Typed;
  focus(): void;
  /** Replaces the text. */
  show(text: string): void;
  /** Handles typing; `composing`: an input method is active, so the input is not replaced. */
  change(text: string, composing: boolean): void;
  /** Loads the editor field; with `now` it replaces the plain input. */
  prepare(now: boolean): void;
}

/** State of an input that starts plain and is replaced by an editor field at the first completion trigger. */
export function useTyping(): Typing {
  const plain = useRef<HTMLTextAreaElement>(null);
  const field = useRef<TypedField>(null);
  const latest = useRef('');
  const isEditorWanted = useRef(false);
  const [value, setValue] = useState('');
  const [rich, setRich] = useState<Typing['rich']>(undefined);

  const typed = (): Typed => {
    const small: TypedField | null = field.current;
    if (small) return small.typed();
    const { selectionStart: from = 0, selectionEnd: to = 0 } = plain.current ?? {};
    return { text: latest.current, from, to };
  };
  const fetch = (now: boolean, still: () => boolean) => {
    const wasWanted: boolean = isEditorWanted.current;
    isEditorWanted.current ||= now;
    if (wasWanted && now) return;
    loadField().then(
      ({ default: Field }) => {
        if (!now) return;
        // Replace and focus synchronously: no key is lost in between.
        if (still()) flushSync(() => setRich({ Field, start: typed() }));
        else isEditorWanted.current = false;
      },
      // Stays plain; the next trigger retries.
      () => {
        isEditorWanted.current &&= !now;
      },
    );
  };
  const focus = useCallback(() => {
    const small: TypedField | null = field.current;
    if (small) small.focus();
    else plain.current?.focus();
  }, []);
  return {
    plain,
    field,
    value,
    latest,
    rich,
    typed,
    focus,
    show: text => {
      latest.current = text;
      const small: TypedField | null = field.current;
      small?.set(text);
      setValue(text);
    },
    change: (text, composing) => {
      latest.current = text;
      setValue(text);
      // Not if the text was added meanwhile.
      if (composing || isEditorWanted.current) return;
      if (completes.test(text)) return fetch(true, () => latest.current !== '');
      void loadField()
        .then(({ endsWithDay }) => endsWithDay(text))
        .then(ends => ends && fetch(true, () => latest.current === text))
        .catch(() => undefined);
    },
    prepare: now => fetch(now, () => true),
  };
}
