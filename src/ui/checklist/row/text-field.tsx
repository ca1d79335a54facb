import { undo } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import {
  type ClipboardEvent,
  type FocusEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Change } from '../../../client/changes.ts';
import type { DraftSlot } from '../../../client/drafts.ts';
import { failureMessage } from '../../../client/errors.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { conflicts, whole } from '../../../domain/messages.ts';
import { rowHash } from '../../../domain/row-hash.ts';
import { receiveInField } from '../../../editor/collaboration/remote.ts';
import { compositionEnd } from '../../../editor/composition.ts';
import { fieldEditor } from '../../../editor/field.ts';
import type { PastedItems } from '../../../text/convert/clip.ts';
import { textWithWords } from '../../../text/edits/assign.ts';
import { mergeRewordings } from '../../../text/merge/rewording.ts';
import { builtIn } from '../../../text/status-registry.ts';
import type { Row } from '../../../text/types.ts';
import { Button } from '../../kit/button.tsx';
import { typesWith } from '../../kit/early-text.tsx';
import { findAuthor } from '../../model/checklist/conflict-author.ts';
import { linesOf, pastedText, refusalOf, splitFirst } from '../../model/checklist/new-items.ts';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { fieldsOf, useDraftSlot } from '../../model/drafts/use-draft-slot.ts';
import { useFieldDraft } from '../../model/drafts/use-field-draft.ts';
import { useUnsaved } from '../../shell/navigation/navigation.ts';
import { useNotify, useServices } from '../../shell/services/services.ts';
import { useRowPresence } from '../../text-editor/collaboration/use-collaborators.ts';
import { createProvider, mountCalendar, TextEditor } from '../../text-editor/text-editor.tsx';
import { useDayOffers } from '../../text-editor/use-day-offers.ts';
import { PasteReport } from '../add/paste-report.tsx';
import { draftBase, heldFieldOf, type TextPart, textOf } from './held-text.ts';
import { createLostFields, lostWords } from './lost-field.ts';
import { RemoteRewording, useLastAuthor } from './row-notes.tsx';
import { passHeldText, whenComposed } from './take-held.ts';
import type { Draft, OpenPart } from './use-open-part.ts';
import '../field.css';

export interface FieldProps {
  row: Row;
  part: TextPart;
  /** Rejected text to edit further. */
  draft: Draft | undefined;
  opened: Pick<OpenPart, 'root' | 'release'>;
  actions: RowActions;
  onClose(withFocus: boolean): void;
  onRefused(draft: Draft, id: string): void;
}

/** A remote change of the text that is being edited. `choice`: it cannot be joined with what was typed. */
interface Remote {
  text: string;
  by: string | undefined;
  choice: boolean;
}

/** A paste whose first line may be in the field, and whose items are below the row. */
interface AddedPaste {
  pasted: PastedItems;
  hasWords: boolean;
  items: string;
  change: Change;
}

interface EndsProps {
  onSave(): void;
  onCancel(): void;
}

/** The buttons that close a field in which Enter breaks the line, and their keys. */
const Ends = ({ onSave, onCancel }: EndsProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the text keeps the focus, the loss of which would save.
  <div className="check-field-ends" onMouseDown={event => event.preventDefault()}>
    <Button appearance="primary" onClick={onSave}>
      Save
    </Button>
    <Button appearance="subtle" onClick={onCancel}>
      Cancel
    </Button>
    <span className="check-field-hint check-field-keys">Ctrl+Enter saves, Esc cancels</span>
  </div>
);

/** The field, once it is known what was typed in it before: until then a plain one has the keys. */
export default function Field(props: FieldProps) {
  const { issueId } = useServices().host;
  const slot = useDraftSlot(issueId && fieldsOf(issueId));
  return slot ? <OpenField {...props} slot={slot} /> : null;
}

/**
 * The editor of a row's words or details; its assignee and due date stay beside it. Saves against the row as it was when
 * opened: concurrent changes are merged. Says at once when the row is changed elsewhere: what both can have is joined in
 * the field, otherwise the user chooses. Saves on unmount too, so that a deleted row loses no typed text.
 */
function OpenField({ row, part, draft, opened, actions, onClose, onRefused, slot }: FieldProps & { slot: DraftSlot }) {
  const services = useServices();
  const { issueId } = services.host;
  const lostFields = services.once(createLostFields);
  const notify = useNotify();
  const [first] = useState(() => ({ row, text: textOf(row, part), save: actions.edit(row) }));
  /** The row and the text on which the typed text is based. */
  const opening = useRef(first);
  const { found, isKept, keep: keepDraft } = useFieldDraft(slot, part, draftBase(row, part));
  const [text] = useState(draft?.text ?? found ?? first.text);
  const [error, setError] = useState(draft?.message);
  const [dirty, setDirty] = useState(draft !== undefined || text !== first.text);
  /** The report of the last paste, until the text changes. */
  const [report, setReport] = useState<AddedPaste | undefined>(undefined);
  const [remote, setRemote] = useState<Remote | undefined>(undefined);
  /** A text by another user that this user has decided against. */
  const declined = useRef<string>(undefined);
  useUnsaved(dirty);
  const typed = useRef(text);
  const theirs = textOf(row, part);
  /** Saved or cancelled. */
  const settled = useRef<'no' | 'yes'>('no');
  const mounted = useRef(true);
  const checklist = actions.latest();
  const index = checklist?.rows.indexOf(row) ?? -1;
  /** `undefined` once it is closed. */
  const latest = useRef<{ row: Row; index: number } | undefined>({ row, index });
  const callbacks = useRef({ onClose, onRefused });
  useEffect(() => {
    callbacks.current = { onClose, onRefused };
    // Deleted, it may be rendered once more.
    if (latest.current) latest.current = { row, index: index < 0 ? latest.current.index : index };
  });
  const close = useCallback((withFocus: boolean) => {
    latest.current = undefined;
    callbacks.current.onClose(withFocus);
  }, []);
  useRowPresence(issueId, { row: index, mark: rowHash(row.text) });

  /** Saves unless unchanged. Returns whether the editor can close. */
  const store = useCallback((): boolean => {
    const typedText = typed.current;
    const { row, text, save } = opening.current;
    if (settled.current === 'yes' || typedText === text) return true;
    if (part === 'text' && typedText.trim() === '') return false;
    settled.current = 'yes';
    const statuses = actions.latest()?.statuses ?? builtIn;
    const values = part === 'text' ? { text: textWithWords(row, typedText, statuses) } : { details: typedText };
    const change = save?.(values, declined.current);
    change?.outcome.catch((reason: unknown) =>
      callbacks.current.onRefused({ text: typedText, message: failureMessage(reason) }, change.id),
    );
    // The change is stored now.
    if (change) keepDraft(undefined);
    return true;
  }, [actions, part, keepDraft]);
  const finish = useCallback(
    (withFocus: boolean) => {
      if (store()) close(withFocus);
      else setError(fieldErrors.REQUIRED);
    },
    [store, close],
  );

  const addPasted = (pasted: PastedItems, replaced?: AddedPaste) => {
    const model = actions.latest();
    if (!model || !actions.add) return;
    const refusal = pasted.refusal ?? refusalOf(pasted.text, model.rows, replaced?.items);
    if (refusal !== undefined) return setError(refusal);
    if (view && replaced?.hasWords) undo(view);
    const takenBack = replaced && actions.takeBack?.(replaced.change);
    // A field that was closed meanwhile keeps what was saved.
    const isOpen = settled.current === 'no';
    const { words, items } = isOpen ? splitFirst(pasted.text) : { words: '', items: pasted.text };
    const hasWords = words !== '';
    if (hasWords)
      view?.dispatch(view.state.replaceSelection(words), { userEvent: 'input.paste', scrollIntoView: true });
    const change = actions.add(items, (latest.current?.index ?? model.rows.length - 1) + 1, takenBack);
    change.outcome.catch((reason: unknown) => notify(failureMessage(reason), 'error'));
    if (isOpen) setReport({ pasted, hasWords, items, change });
    else if (pasted.report !== '') notify(pasted.report, 'info');
  };
  const paste = (event: ClipboardEvent) => {
    const plain = event.clipboardData.getData('text/plain');
    if (part !== 'text' || !actions.add || linesOf(plain).length < 2) return;
    event.preventDefault();
    event.stopPropagation();
    void pastedText(plain, event.clipboardData.getData('text/html')).then(pasted => addPasted(pasted));
  };

  const cancel = useCallback(() => {
    settled.current = 'yes';
    keepDraft(undefined);
    close(true);
  }, [keepDraft, close]);
  const label = part === 'text' ? `Text of ${first.text}`.trim() : `Details of ${first.row.words}`.trim();
  const offersDays = useDayOffers();
  const [extensions] = useState(() =>
    fieldEditor({
      label,
      lines: part === 'details',
      statuses: actions.latest()?.statuses,
      provider: createProvider(services),
      calendar: mountCalendar,
      ...(part === 'text' && { offersDays }),
      save: () => finish(true),
      cancel,
      changed: now => {
        typed.current = now;
        keepDraft(now === opening.current.text ? undefined : now);
        setDirty(now !== opening.current.text);
        setError(undefined);
        setReport(undefined);
      },
    }),
  );
  const refused = draft !== undefined;
  const [view, onView] = useState<EditorView | undefined>(undefined);
  const onHeld = useEffectEvent((view: EditorView, held: HTMLTextAreaElement | null) => {
    const next = passHeldText(view, held);
    opened.release();
    if (next) finish(next === 'save');
  });
  useEffect(() => {
    if (view) typesWith(view.contentDOM, text => view.dispatch(view.state.replaceSelection(text)));
  }, [view]);
  useEffect(() => {
    if (!view || refused) return undefined;
    const heldField = heldFieldOf(opened.root);
    return whenComposed(heldField, () => onHeld(view, heldField));
  }, [view, refused, opened.root]);

  const authorOf = useRef(useLastAuthor(issueId));
  const knownText = useRef(theirs);
  /** Replaces the text; the newest row is its base from now on. */
  const rebase = (next: string) => {
    const save = actions.edit(row);
    if (!view || !save) return;
    opening.current = { row, text: theirs, save };
    if (next !== typed.current) receiveInField(view, next);
    setDirty(next !== theirs);
  };
  const nameAuthor = async (text: string) => {
    if (issueId === undefined) return;
    // Without an answer the author stays unnamed.
    const by = await findAuthor(services.graphql, issueId, { attribute: part, theirs: text }).catch(() => undefined);
    setRemote(now => (now?.text === text ? { ...now, by } : now));
  };
  const onRemote = useEffectEvent(() => {
    if (!view || knownText.current === theirs || settled.current === 'yes') return;
    knownText.current = theirs;
    declined.current = undefined;
    const { text: was } = opening.current;
    const typedText = typed.current;
    if (typedText === theirs || theirs === was) return setRemote(undefined);
    const joined = typedText === was ? theirs : part === 'text' ? mergeRewordings(was, typedText, theirs) : undefined;
    if (joined !== undefined) rebase(joined);
    const by = authorOf.current();
    setRemote({ text: theirs, by, choice: joined === undefined });
    if (by === undefined) void nameAuthor(theirs);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row's text is what has changed.
  useEffect(() => {
    if (!view) return undefined;
    let replaced = false;
    // Text that is being composed is not changed.
    void compositionEnd(view).then(() => replaced || onRemote());
    return () => {
      replaced = true;
    };
  }, [view, theirs]);

  /** Saves on unmount; the list opens the field again where the row still is, or is back. */
  const lose = useCallback(() => {
    const before = actions.latest()?.rows ?? [];
    const isSaved = store() && settled.current === 'yes';
    if (!latest.current) return;
    const { row, index } = latest.current;
    const after = actions.latest()?.rows ?? [];
    const isIt = (each: Row) => (isSaved ? !before.includes(each) : each.kind === row.kind && each.words === row.words);
    const foundRow = after.find(isIt);
    const isDeleted = isSaved ? after.length > before.length : !foundRow;
    // Others may have made the row a detail of the one above, which has the text now.
    const holder = foundRow && before[after.indexOf(foundRow)];
    const isDetail = isSaved && !isDeleted && holder?.words === foundRow?.words;
    const lostPart = isDetail ? 'details' : part;
    const lost = { part: lostPart, row, index, found: foundRow, isDeleted, by: authorOf.current() };
    if (lostFields.publish(actions.issueId, lost)) return;
    // Other lists say it in a flag.
    const words = lostWords(lost, conflicts.unnamed);
    if (words !== undefined) notify(words, 'info');
  }, [actions, part, store, lostFields, notify]);

  // Before the paint: the row does not disappear for a moment, and no key is lost.
  useLayoutEffect(() => {
    const leave = () => void store();
    // From the back-forward cache: the text was saved on leaving.
    const back = ({ persisted }: PageTransitionEvent) => persisted && settled.current === 'yes' && finish(false);
    mounted.current = true;
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', back);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', back);
      mounted.current = false;
      // Not in strict mode, which unmounts and mounts again.
      queueMicrotask(() => {
        const isMounted: boolean = mounted.current;
        if (!isMounted) lose();
      });
    };
  }, [store, finish, lose]);

  const blur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
    // Ignores an inactive window, and a rerendered calendar, which loses the focus for a moment.
    setTimeout(() => {
      if (!currentTarget.isConnected || !document.hasFocus() || currentTarget.contains(document.activeElement)) return;
      if (typed.current.trim() === '' && part === 'text') typed.current = opening.current.text;
      finish(false);
    });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps keys and clicks from the list around it.
    <div
      className={error === undefined ? 'check-field' : 'check-field check-field-wrong'}
      dir="auto"
      onBlur={blur}
      onPasteCapture={paste}
      onKeyDown={event => {
        // From the choice back to the text.
        if (event.key === 'Escape' && view && !view.dom.contains(document.activeElement)) view.focus();
        event.stopPropagation();
      }}
      onClick={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
    >
      <TextEditor text={text} extensions={extensions} onView={onView} />
      {part === 'details' || found !== undefined ? <Ends onSave={() => finish(true)} onCancel={cancel} /> : null}
      <p className="check-field-hint" role="status">
        {!isKept ? whole.draftNotKept : found === undefined || refused ? '' : `${whole.restored} Esc discards them.`}
      </p>
      <p className="check-error" role="alert">
        {error}
      </p>
      <PasteReport
        pasted={report?.pasted}
        onReadAgain={again => {
          if (settled.current === 'no') addPasted(again, report);
          view?.focus();
        }}
      />
      <RemoteRewording
        remote={remote}
        part={part}
        mine={remote?.choice ? typed.current : ''}
        onMine={() => {
          declined.current = theirs;
          setRemote(undefined);
          view?.focus();
        }}
        onTheirs={() => {
          rebase(theirs);
          setRemote(undefined);
          view?.focus();
        }}
      />
    </div>
  );
}
