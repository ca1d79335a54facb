import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import type { Change } from '../../../client/changes.ts';
import { failureMessage } from '../../../client/errors.ts';
import { limitReached, refusals, whole } from '../../../domain/messages.ts';
import type { PastedItems } from '../../../text/convert/clip.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { itemsLeft, limitRefusal, linesOf, pastedText, refusalOf } from '../../model/checklist/new-items.ts';
import { fieldsOf, useDraftSlot } from '../../model/drafts/use-draft-slot.ts';
import { useFieldDraft } from '../../model/drafts/use-field-draft.ts';
import { Upgrade } from '../../shell/navigation/links.tsx';
import { useUnsaved } from '../../shell/navigation/navigation.ts';
import { useHostContext, useSession, useUser } from '../../shell/services/services.ts';
import { addDraft, addLabel } from './add-label.ts';
import { PasteReport } from './paste-report.tsx';
import { useTyping } from './use-typing.ts';
import '../field.css';

/** The number of remaining items is shown always if so few are left. */
const MAX_FEW_ITEMS = 5;

/** In place of the input if the limit is reached. */
const Full = ({ message }: { message: string }) => (
  <p className="check-closed">
    <span>{message}</span> <Upgrade />
  </p>
);

/** The number of items left, if there is a limit: while the input is in use, and always if few are left. */
function Room({ rows }: { rows: readonly Row[] }) {
  const remainingItems = itemsLeft(rows);
  return remainingItems > 0 && Number.isFinite(remainingItems) ? (
    <p className={remainingItems <= MAX_FEW_ITEMS ? 'check-room' : 'check-room check-room-used'}>
      {limitReached.room(remainingItems)} <Upgrade />
    </p>
  ) : null;
}

/** A paste, and what was typed around it. */
interface Paste {
  pasted: PastedItems;
  before: string;
  after: string;
}

/** A paste that was added, with its text as a whole. */
interface AddedPaste extends Paste {
  text: string;
  change: Change;
}

interface Props {
  checklist: Checklist;
  /** Set to a function that focuses the input, while there is one. */
  focusRef?: RefObject<(() => void) | undefined>;
  label?: string | undefined;
  /** The row below which items are added; missing for the input at the list's end. */
  below?: Row;
  /** Adds items, in place of those that a change has added. */
  onAdd(text: string, replaced?: Change): Change;
  /** Called when a rejected change's text is back in the input. */
  onDiscard(id: string): void;
  /** Missing for the input at the list's end, which is always open. Other inputs take the focus. */
  onClose?: () => void;
}

/** An editor still reads the page this long after the end of a composition. */
const COMPOSITION_SETTLE_MS = 150;

const placeholders = { idle: 'Add an item. # header, ! mandatory', focused: '@ people  // date  : emoji' };

/**
 * An input that stays open for the next item: at the list's end, or below a row. Several lines become several items. The
 * text of a rejected change returns to the input if that is empty; otherwise it is among the rejected changes.
 */
export default function AddItem({ checklist, focusRef, below, onAdd, onDiscard, onClose, ...props }: Props) {
  const label = below ? addLabel(below) : (props.label ?? 'Add an item');
  const { rows, statuses } = checklist;
  const closed = limitRefusal(rows);
  const [error, setError] = useState<string | undefined>(undefined);
  /** The report of the last paste, until something is typed. */
  const [report, setReport] = useState<AddedPaste | undefined>(undefined);
  const errorId = useId();
  const focused = useRef(false);
  /** Nothing was typed since mount or since the last addition. */
  const [fresh, setFresh] = useState(true);
  const { plain, field, value, latest, rich, typed, focus, show, change, prepare } = useTyping();
  useUnsaved(value.trim() !== '');
  const { issueId } = useHostContext();
  const opened = useDraftSlot(issueId && fieldsOf(issueId));
  const [composing, setComposing] = useState(false);
  const [isFocused, setFocused] = useState(false);
  // A text that is being composed is not changed.
  const [slot, setSlot] = useState(opened);
  if (!slot && opened && !composing) setSlot(opened);
  const { found, isKept, keep: keepDraft } = useFieldDraft(slot, below ? addDraft(label) : 'add', '');
  const restore = useEffectEvent((older: string) => {
    setFresh(false);
    show(latest.current === '' ? older : `${older}\n${latest.current}`);
    // The plain input shows people as account ids.
    if (older.includes('[~accountid:')) prepare(true);
  });
  const restored = useRef<string>(undefined);
  useEffect(() => {
    // Not once more in strict mode.
    if (found === undefined || found === restored.current) return;
    restored.current = found;
    restore(found);
  }, [found]);
  useEffect(() => {
    if (value !== '' || !fresh) keepDraft(value === '' ? undefined : value);
  }, [value, fresh, keepDraft]);
  /** An input in use stays when the limit is reached: text typed behind the last item that fits is not lost. */
  const hasInput = closed === undefined || isFocused || value !== '';
  /** Whether an input is mounted to restore text to. */
  const open = useRef(false);
  useEffect(() => {
    open.current = hasInput;
    if (focusRef) focusRef.current = hasInput ? focus : undefined;
    return () => {
      open.current = false;
      if (focusRef) focusRef.current = undefined;
    };
  }, [hasInput, focusRef, focus]);

  const add = (text: string, pasted?: Paste, replaced?: AddedPaste) => {
    if (text.trim() === '') return;
    const refusal = refusalOf(text, rows, replaced?.text);
    setError(refusal);
    setReport(undefined);
    if (refusal !== undefined) return show(text.trim());
    const change = onAdd(text, replaced?.change);
    const { id, outcome } = change;
    if (pasted) setReport({ ...pasted, text, change });
    show('');
    setFresh(true);
    keepDraft(undefined);
    outcome.catch((reason: unknown) => {
      // Widened: the input may be unmounted by now.
      const isOpen: boolean = open.current;
      if (!isOpen || latest.current !== '') return;
      show(text.trim());
      setFresh(false);
      setError(failureMessage(reason));
      onDiscard(id);
    });
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    const [one = '', ...more] = linesOf(pasted);
    // A single line is inserted as typed.
    if (more.length === 0 && pasted === one) return;
    event.preventDefault();
    event.stopPropagation();
    const { text, from, to } = typed();
    const [before, after] = [text.slice(0, from), text.slice(to)];
    if (more.length === 0) {
      setFresh(false);
      return show(before + one + after);
    }
    // Shown until it is converted, which may load a chunk.
    const html = event.clipboardData.getData('text/html');
    const shown = before + pasted + after;
    setFresh(false);
    show(shown);
    void pastedText(pasted, html).then(converted => {
      // Typing meanwhile cancels: the text is then added on submit.
      const isOpen: boolean = open.current;
      if (isOpen && latest.current === shown) addPasted({ pasted: converted, before, after });
    });
  };
  /** Adds a paste between what was typed, or says why not. */
  const addPasted = (paste: Paste, replaced?: AddedPaste) => {
    const { pasted, before, after } = paste;
    const { text, refusal } = pasted;
    // Pasted lines stay lines of their own beside words, but not behind a mark.
    const lineBreak = (typed: string) => (/[\p{L}\p{N}]/u.test(typed) ? '\n' : '');
    const joined = before + lineBreak(before) + text + lineBreak(after) + after;
    if (refusal === undefined) return add(joined, paste, replaced);
    setError(refusal);
    setReport(undefined);
    if (!replaced) show(before + after);
  };
  const readAgain = (pasted: PastedItems) => {
    const isOpen: boolean = open.current;
    if (report && isOpen && latest.current === '') addPasted({ ...report, pasted }, report);
    focus();
  };
  // Only an empty input closes: no typed text is lost.
  const leave = () => {
    if (onClose && latest.current.trim() === '') onClose();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter that ends a composition is the input method's.
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

  if (!hasInput) return <Full message={closed} />;
  const problem = error ?? closed;
  return (
    <form
      className="check-add"
      data-fresh={fresh || undefined}
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => setTimeout(() => setComposing(false), COMPOSITION_SETTLE_MS)}
      onSubmit={event => {
        event.preventDefault();
        add(latest.current);
      }}
      onPasteCapture={paste}
      onFocus={() => {
        focused.current = true;
        setFocused(true);
        // Preload.
        prepare(false);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        focused.current = false;
        // A link below the input is used.
        setFocused(currentTarget.contains(relatedTarget));
      }}
    >
      {rich ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps keys and clicks from the list around it.
        <div
          className={problem === undefined ? 'check-input' : 'check-input check-input-wrong'}
          dir="auto"
          onKeyDown={event => event.stopPropagation()}
          onClick={event => event.stopPropagation()}
        >
          <rich.Field
            ref={field}
            start={rich.start}
            focus={focused.current}
            label={label}
            placeholders={placeholders}
            statuses={statuses}
            onChange={text => {
              change(text, false);
              if (text !== '') {
                setFresh(false);
                setReport(undefined);
              }
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
          placeholder={isFocused ? placeholders.focused : placeholders.idle}
          aria-label={label}
          aria-describedby={problem === undefined ? undefined : errorId}
          aria-invalid={problem === undefined ? undefined : true}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: opened by a user action.
          autoFocus={onClose !== undefined}
          enterKeyHint="enter"
          dir="auto"
          onChange={({ currentTarget, nativeEvent }) => {
            change(currentTarget.value, 'isComposing' in nativeEvent && nativeEvent.isComposing === true);
            setFresh(false);
            setReport(undefined);
            setError(undefined);
          }}
          onKeyDown={press}
        />
      )}
      <Room rows={rows} />
      {isKept ? null : (
        <p className="check-room" role="status">
          {whole.draftNotKept}
        </p>
      )}
      <PasteReport pasted={report?.pasted} onReadAgain={readAgain} />
      <p id={errorId} className="check-error" role="alert">
        {problem}
        {closed === undefined ? null : (
          <>
            {value === '' ? null : `. ${whole.notAdded}`} <Upgrade />
          </>
        )}
      </p>
    </form>
  );
}

/** Why the checklist is read-only. Not for anonymous users and portal customers, for whom every checklist is. */
export function ReadOnly() {
  const { isAnonymous, canChangeItemStatuses, canDeleteChecklistItems } = useUser();
  const { surface } = useHostContext();
  const settings = useSession().payload?.settings;
  if (isAnonymous || canChangeItemStatuses || canDeleteChecklistItems || surface === 'portal') return null;
  return (
    <p className="check-empty check-read-only">
      <strong>Read-only</strong>{' '}
      <span>
        {settings?.licensed === false
          ? refusals.unlicensed
          : whole.readOnly(settings?.manage_permissions_enabled === true)}
      </span>
    </p>
  );
}
