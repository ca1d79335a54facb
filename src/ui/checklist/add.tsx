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
import './add.css';

interface Props {
  /** What stands in the checklist. */
  rows: readonly Row[];
  inputRef?: Ref<HTMLTextAreaElement>;
  label?: string;
  onAdd(text: string): Change;
  /** A refused change stands in the input again: nobody else need offer it. */
  onTakenBack(id: string): void;
  /** Missing for the one at the list's end, which is always open. The others take the focus. */
  onClose?: () => void;
}

/** Tags by which a page or an office program says more than its plain text does. */
const structured = /<(li|tr|h[1-6]|input)\b/i;

/**
 * What is pasted from elsewhere, as checklist text. What turns it into that comes late; where it does not come, the lines
 * are taken as they are.
 */
async function pastedText(plain: string, html: string): Promise<string> {
  try {
    const { convert } = await import('../../text/convert.ts');
    const { text } = structured.test(html) ? convert(html, 'html') : convert(plain, 'auto');
    return text.trim() === '' ? plain : text;
  } catch {
    return plain;
  }
}

/**
 * An input that stays open for the next item: at the list's end, or below a row. Several lines become several items. What
 * could not be added comes back into the input, unless something else was typed there meanwhile: then it is offered
 * elsewhere.
 */
export default function AddItem({ rows, inputRef, label = 'Add an item', onAdd, onTakenBack, onClose }: Props) {
  const closed = limitRefusal(rows);
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const latest = useRef('');
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
    latest.current = text;
    setValue(text);
  };
  const add = (text: string) => {
    const refusal = refusalOf(text, rows);
    setError(refusal);
    if (refusal !== undefined) return show(text.trim());
    const { id, outcome } = onAdd(text);
    show('');
    outcome.catch((reason: unknown) => {
      // By then it may have gone.
      const there: boolean = open.current;
      if (!there || latest.current !== '') return;
      show(text.trim());
      setError(failureMessage(reason));
      onTakenBack(id);
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add(value);
  };
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const plain = event.clipboardData.getData('text/plain');
    const [one = '', ...more] = plain.trim().split(/[\r\n]+/);
    // A line is typed text, without the break that many programs copy along.
    if (more.length === 0 && plain === one) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const [before, after] = [value.slice(0, selectionStart), value.slice(selectionEnd)];
    if (more.length === 0) return show(before + one + after);
    // It stands there until it is turned into items, in case that takes its time.
    const html = event.clipboardData.getData('text/html');
    const whole = before + plain + after;
    show(whole);
    void pastedText(plain, html).then(text => {
      // Somebody went on typing: then it is added with that.
      const there: boolean = open.current;
      if (there && latest.current === whole) add(before + text + after);
    });
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter that ends a composition belongs to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    }
    // Only an empty input closes: nothing that was typed is thrown away.
    if (event.key === 'Escape' && onClose && value.trim() === '') {
      event.stopPropagation();
      onClose();
    }
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
      <textarea
        ref={inputRef}
        className="check-input"
        value={value}
        rows={Math.min(value.split('\n').length, 12)}
        placeholder="Add an item. # header, ! mandatory, @name, 31/12/2026"
        aria-label={label}
        aria-describedby={error === undefined ? undefined : errorId}
        aria-invalid={error === undefined ? undefined : true}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked for it.
        autoFocus={onClose !== undefined}
        enterKeyHint="enter"
        dir="auto"
        onChange={event => {
          show(event.currentTarget.value);
          setError(undefined);
        }}
        onFocus={() => {
          focused.current = true;
        }}
        onBlur={() => {
          focused.current = false;
        }}
        onKeyDown={press}
        onPaste={paste}
      />
      <p id={errorId} className="check-error" role="alert">
        {error}
      </p>
    </form>
  );
}
