import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { Change } from '../../../client/changes.ts';
import { failureMessage } from '../../../client/errors.ts';
import type { Checklist } from '../../../text/types.ts';
import { useUnsaved } from '../../shell/navigation/navigation.ts';
import { Full, limitRefusal, Room, refusalOf } from './item-limit.tsx';
import { useTyping } from './use-typing.ts';
import './add-item.css';

/** Tags by which a page or an office program says more than its plain text does. */
const structured = /<(li|tr|h[1-6]|input)\b/i;

/**
 * What is pasted from elsewhere, as checklist text. What turns it into that comes late; where it does not come, the lines
 * are taken as they are.
 */
export async function pastedText(plain: string, html: string): Promise<string> {
  try {
    const { convert } = await import('../../../text/convert.ts');
    const { text } = structured.test(html) ? convert(html, 'html') : convert(plain, 'auto');
    return text.trim() === '' ? plain : text;
  } catch {
    return plain;
  }
}

interface Props {
  checklist: Checklist;
  /** Gives the focus to the input, while there is one. */
  focusRef?: RefObject<(() => void) | undefined>;
  label?: string;
  onAdd(text: string): Change;
  /** A refused change stands in the input again: nobody else need offer it. */
  onTakenBack(id: string): void;
  /** Missing for the one at the list's end, which is always open. The others take the focus. */
  onClose?: () => void;
}

const PLACEHOLDER = 'Add an item. # header, ! mandatory, @name';

/**
 * An input that stays open for the next item: at the list's end, or below a row. Several lines become several items. What
 * could not be added comes back into the input, unless something else was typed there meanwhile: then it is offered
 * elsewhere.
 */
export default function AddItem({ checklist, focusRef, label = 'Add an item', onAdd, onTakenBack, onClose }: Props) {
  const { rows, statuses } = checklist;
  const closed = limitRefusal(rows);
  const [error, setError] = useState<string | undefined>(undefined);
  const errorId = useId();
  const focused = useRef(false);
  /** Nothing has been typed since it came or since something was added. */
  const [fresh, setFresh] = useState(true);
  const { plain, field, value, latest, rich, typed, focus, show, change, prepare } = useTyping();
  useUnsaved(value.trim() !== '');
  /** There is an input to give something back to. */
  const open = useRef(false);
  useEffect(() => {
    open.current = closed === undefined;
    if (focusRef) focusRef.current = closed === undefined ? focus : undefined;
    return () => {
      open.current = false;
      if (focusRef) focusRef.current = undefined;
    };
  }, [closed, focusRef, focus]);

  const add = (text: string) => {
    const refusal = refusalOf(text, rows);
    setError(refusal);
    if (refusal !== undefined) return show(text.trim());
    const { id, outcome } = onAdd(text);
    show('');
    setFresh(true);
    outcome.catch((reason: unknown) => {
      // By then it may have gone.
      const there: boolean = open.current;
      if (!there || latest.current !== '') return;
      show(text.trim());
      setFresh(false);
      setError(failureMessage(reason));
      onTakenBack(id);
    });
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    const [one = '', ...more] = pasted.trim().split(/[\r\n]+/);
    // A line is typed text, without the break that many programs copy along.
    if (more.length === 0 && pasted === one) return;
    event.preventDefault();
    event.stopPropagation();
    const { text, from, to } = typed();
    const [before, after] = [text.slice(0, from), text.slice(to)];
    if (more.length === 0) {
      setFresh(false);
      return show(before + one + after);
    }
    // It stands there until it is turned into items, in case that takes its time.
    const html = event.clipboardData.getData('text/html');
    const whole = before + pasted + after;
    setFresh(false);
    show(whole);
    void pastedText(pasted, html).then(converted => {
      // Somebody went on typing: then it is added with that.
      const there: boolean = open.current;
      if (there && latest.current === whole) add(before + converted + after);
    });
  };
  // Only an empty input closes: nothing that was typed is thrown away.
  const leave = () => {
    if (onClose && latest.current.trim() === '') onClose();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter that ends a composition belongs to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    } else if (event.key === ' ' && event.ctrlKey) prepare(true);
    else if (event.key === 'Escape' && onClose) {
      event.stopPropagation();
      leave();
    }
  };

  if (closed !== undefined) return <Full message={closed} focused={focused} />;
  return (
    <form
      className="check-add"
      data-fresh={fresh || undefined}
      onSubmit={event => {
        event.preventDefault();
        add(latest.current);
      }}
      onPasteCapture={paste}
      onFocus={() => {
        focused.current = true;
        // It is here, most likely, when it is wanted.
        prepare(false);
      }}
      onBlur={() => {
        focused.current = false;
      }}
    >
      {rich ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: its keys and clicks are not for the list around it.
        <div
          className={error === undefined ? 'check-input' : 'check-input check-input-wrong'}
          dir="auto"
          onKeyDown={event => event.stopPropagation()}
          onClick={event => event.stopPropagation()}
        >
          <rich.Field
            ref={field}
            start={rich.start}
            focus={focused.current}
            label={label}
            placeholder={PLACEHOLDER}
            statuses={statuses}
            onChange={text => {
              change(text, false);
              if (text !== '') setFresh(false);
              setError(undefined);
            }}
            onSubmit={() => add(latest.current)}
            onEscape={leave}
          />
        </div>
      ) : (
        <textarea
          ref={plain}
          className="check-input"
          value={value}
          rows={Math.min(value.split('\n').length, 12)}
          placeholder={PLACEHOLDER}
          aria-label={label}
          aria-describedby={error === undefined ? undefined : errorId}
          aria-invalid={error === undefined ? undefined : true}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked for it.
          autoFocus={onClose !== undefined}
          enterKeyHint="enter"
          dir="auto"
          onChange={({ currentTarget, nativeEvent }) => {
            change(currentTarget.value, 'isComposing' in nativeEvent && nativeEvent.isComposing === true);
            setFresh(false);
            setError(undefined);
          }}
          onKeyDown={press}
        />
      )}
      <Room rows={rows} />
      <p id={errorId} className="check-error" role="alert">
        {error}
      </p>
    </form>
  );
}
