import Textfield from '@atlaskit/textfield';
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { Change } from '../../client/changes.ts';
import { failureMessage } from '../../client/errors.ts';
import type { Row } from '../../text/types.ts';
import { limitRefusal, refusalOf } from './limits.ts';

interface Props {
  /** What stands in the checklist. */
  rows: readonly Row[];
  inputRef: Ref<HTMLInputElement>;
  onAdd(text: string): Change;
  /** A refused change stands in the input again: nobody else need offer it. */
  onTakenBack(id: string): void;
}

/**
 * The input at the list's end; it stays open for the next item. Several pasted lines become several items. What could
 * not be added comes back into the input, unless something else was typed there meanwhile: then it is offered elsewhere.
 */
export default function AddItem({ rows, inputRef, onAdd, onTakenBack }: Props) {
  const closed = limitRefusal(rows);
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const latest = useRef('');
  /** A text of several lines that stands in the input as one. */
  const kept = useRef({ shown: '', text: '' });
  const errorId = useId();
  const focused = useRef(false);
  /** There is an input to give something back to. */
  const open = useRef(false);
  useEffect(() => {
    open.current = closed === undefined;
    return () => {
      open.current = false;
    };
  }, [closed]);
  const reason = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The input goes with the last item that there was room for; whoever typed in it hears why.
    if (closed !== undefined && focused.current) reason.current?.focus();
  }, [closed]);

  const show = (text: string) => {
    latest.current = oneLine(text);
    kept.current = { shown: latest.current, text };
    setValue(latest.current);
  };
  const add = (text: string) => {
    const refusal = refusalOf(text, rows);
    setError(refusal);
    if (refusal !== undefined) return show(text);
    const { id, outcome } = onAdd(text);
    show('');
    outcome.catch((reason: unknown) => {
      // By then it may have gone.
      const there: boolean = open.current;
      if (!there || latest.current !== '') return;
      show(text);
      setError(failureMessage(reason));
      onTakenBack(id);
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add(value === kept.current.shown ? kept.current.text : value);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!/[\r\n]/.test(pasted.trim())) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    add(value.slice(0, selectionStart ?? value.length) + pasted + value.slice(selectionEnd ?? value.length));
  };
  const keep = (event: KeyboardEvent) => {
    // Enter that ends a composition belongs to the input method.
    if (event.key === 'Enter' && event.nativeEvent.isComposing) event.preventDefault();
  };

  if (closed !== undefined) {
    return (
      <p ref={reason} className="check-closed" tabIndex={-1}>
        {closed}
      </p>
    );
  }
  return (
    <form className="check-add" onSubmit={submit}>
      <Textfield
        ref={inputRef}
        value={value}
        placeholder="Add an item"
        aria-label="Add an item"
        aria-describedby={error === undefined ? undefined : errorId}
        isInvalid={error !== undefined}
        autoComplete="off"
        enterKeyHint="enter"
        onChange={event => {
          latest.current = event.currentTarget.value;
          setValue(latest.current);
          setError(undefined);
        }}
        onFocus={() => {
          focused.current = true;
        }}
        onBlur={() => {
          focused.current = false;
        }}
        onKeyDown={keep}
        onPaste={paste}
      />
      <p id={errorId} className="check-error" role="alert">
        {error}
      </p>
    </form>
  );
}

/** An input holds one line: what is given back shows its lines one after the other. */
const oneLine = (text: string): string =>
  text
    .trim()
    .split(/\s*[\r\n]+\s*/)
    .join(' ');
