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

interface Props {
  /** Why nothing can be added at all; shown in place of the input. */
  closed: string | undefined;
  inputRef: Ref<HTMLInputElement>;
  /** Adds what was typed. Answers with the reason why it refuses, before anything is sent. */
  onAdd(text: string, failed: (message: string) => void): string | undefined;
}

/**
 * The input at the list's end; it stays open for the next item. Several pasted lines become several items. What could
 * not be added comes back into the input, unless something else was typed there meanwhile: then the message quotes it.
 */
export default function AddItem({ closed, inputRef, onAdd }: Props) {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const latest = useRef('');
  /** A text of several lines that stands in the input as one. */
  const kept = useRef({ shown: '', text: '' });
  const errorId = useId();
  const focused = useRef(false);
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
    const refusal = onAdd(text, message => {
      if (latest.current === '') show(text);
      setError(latest.current === oneLine(text) ? message : `${message} “${text.trim()}”`);
    });
    show(refusal === undefined ? '' : text);
    setError(refusal);
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
