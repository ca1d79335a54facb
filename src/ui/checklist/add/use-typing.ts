import { type ComponentType, type RefObject, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { AddFieldProps, Typed, TypedField } from './add-field.tsx';

/** What the editor has completions for: a person, an emoji, a status, a day, an issue. */
const completes = /[@:[]|\/\/|\b[A-Z][A-Z0-9_]+-/;

const loadField = () => import('./add-field.tsx').then(({ default: Field }) => Field);

export interface Typing {
  plain: RefObject<HTMLTextAreaElement | null>;
  field: RefObject<TypedField | null>;
  value: string;
  /** What is typed now, rendered or not. */
  latest: RefObject<string>;
  /** The small editor, and what was typed when it takes the plain input's place. */
  rich: { Field: ComponentType<AddFieldProps>; start: Typed } | undefined;
  typed(): Typed;
  focus(): void;
  /** Puts a text in place of what is typed. */
  show(text: string): void;
  /** Somebody typed; `composing`: with an input method, whose text must stay where it is. */
  change(text: string, composing: boolean): void;
  /** Fetches the small editor; with `now` it takes the plain input's place. */
  prepare(now: boolean): void;
}

/** A text that is typed in a plain input, and in a small editor from the first sign on that one may be completed after. */
export function useTyping(): Typing {
  const plain = useRef<HTMLTextAreaElement>(null);
  const field = useRef<TypedField>(null);
  const latest = useRef('');
  const wanted = useRef(false);
  const [value, setValue] = useState('');
  const [rich, setRich] = useState<Typing['rich']>(undefined);

  const typed = (): Typed => {
    const small: TypedField | null = field.current;
    if (small) return small.typed();
    const { selectionStart: from = 0, selectionEnd: to = 0 } = plain.current ?? {};
    return { text: latest.current, from, to };
  };
  const fetch = (now: boolean, still: () => boolean) => {
    const asked: boolean = wanted.current;
    wanted.current ||= now;
    if (asked && now) return;
    loadField().then(
      Field => {
        if (!now) return;
        // One input goes and the other has the focus in one go: no key is pressed between them.
        if (still()) flushSync(() => setRich({ Field, start: typed() }));
        else wanted.current = false;
      },
      // It stays what it is; the next sign tries anew.
      () => {
        wanted.current &&= !now;
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
      // What was added meanwhile wants no completion any more.
      if (!composing && completes.test(text)) fetch(true, () => latest.current !== '');
    },
    prepare: now => fetch(now, () => true),
  };
}
