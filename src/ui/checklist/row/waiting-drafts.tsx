import { type ReactNode, type RefObject, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { type WaitingDrafts, waitingDrafts } from '../../../client/drafts.ts';
import { fieldDrafts } from '../../../client/field-drafts.ts';
import { drafts as words } from '../../../domain/messages.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { fieldsOf, useDraftSlot } from '../../model/drafts/use-draft-slot.ts';
import { usePeople } from '../../model/people.tsx';
import { nameOf } from '../../model/rows/row-segments.ts';
import { useCover, useDialogs } from '../../shell/navigation/dialogs.tsx';
import { useBridge, useHostContext, useUser } from '../../shell/services/services.ts';
import { addDraft, addLabel } from '../add/add-label.ts';
import { focusRow } from '../list/list-dom.ts';
import type { ListContext } from '../list/list-moves.ts';
import { draftBase, type TextPart } from './held-text.ts';
import { openPart } from './use-open-part.ts';

interface NoticeProps {
  words: string;
  /** Names the buttons: “Open the unsaved text of one”. */
  of: string;
  onOpen(button: HTMLElement): void;
  onDiscard(button: HTMLElement): void;
}

/** Says that an unsaved text waits, with the ways to go on. */
const Notice = ({ words: text, of, onOpen, onDiscard }: NoticeProps) => (
  <p className="check-remote check-draft">
    <span dir="auto">{text}</span>{' '}
    <button
      type="button"
      className="check-send"
      aria-label={`Open ${of}`}
      onClick={({ currentTarget }) => onOpen(currentTarget)}
    >
      Open
    </button>{' '}
    <button
      type="button"
      className="check-send"
      aria-label={`Discard ${of}`}
      onClick={({ currentTarget }) => onDiscard(currentTarget)}
    >
      Discard
    </button>
  </p>
);

/** Unsaved texts of closed editors of the issue; looked for again when the app's dialog closes. */
function useEditorDrafts(issueId: string): { waiting: WaitingDrafts | undefined; forget(): void } {
  const bridge = useBridge();
  const { canEditChecklist } = useUser();
  const isCovered = useCover() !== undefined;
  const [waiting, setWaiting] = useState<WaitingDrafts | undefined>(undefined);
  useEffect(() => {
    if (isCovered || !canEditChecklist) return undefined;
    let ended = false;
    bridge
      .owner()
      .then(owner => waitingDrafts(owner, issueId))
      .then(
        found => ended || setWaiting(found.count > 0 ? found : undefined),
        // Without a known account nothing is stored.
        () => undefined,
      );
    return () => {
      ended = true;
    };
  }, [bridge, issueId, isCovered, canEditChecklist]);
  return { waiting: isCovered ? undefined : waiting, forget: () => setWaiting(undefined) };
}

const isPart = (field: string): field is TextPart => field === 'text' || field === 'details';

/** Whether a draft is of an input for new items below a row. The one at the list's end shows its own. */
const isAdded = (field: string): boolean => field.startsWith(addDraft(''));

const mention = /\[~accountid:([^\]]+)\]/g;

/** Returns a function that writes the people of texts by their names. */
function useNamed(texts: readonly string[]): (text: string) => string {
  const joinedTexts = texts.join('\n');
  const people = usePeople(
    useMemo(() => [...joinedTexts.matchAll(mention)].flatMap(([, id]) => id ?? []), [joinedTexts]),
  );
  return text => text.replace(mention, (_, id: string) => `@${people.get(id)?.name ?? '…'}`);
}

/** The elements around a notice that its buttons act on. */
interface Ways {
  list: RefObject<ListContext | undefined>;
  /** Takes the focus of a removed notice. */
  focusElsewhere(): void;
}

/**
 * The unsaved texts that were there when the page opened: of closed editors, of rows' fields, and of new items below rows.
 * Returns a notice of the first, and those of the others by the rows' keys.
 */
export function useWaitingDrafts(
  issueId: string,
  { rows }: Checklist,
  keys: readonly number[],
  say: (text: string) => void,
  { list, focusElsewhere }: Ways,
): { editor: ReactNode; notes: ReadonlyMap<number, ReactNode> } {
  const host = useHostContext();
  const dialogs = useDialogs();
  const isHere = host.issueId === issueId;
  const { canEditChecklist, canAddChecklistItems } = useUser();
  const { waiting, forget } = useEditorDrafts(issueId);
  const slot = useDraftSlot(isHere ? fieldsOf(issueId) : undefined);
  const stored = useMemo(() => slot && fieldDrafts(slot), [slot]);
  /** The drafts that were stored when the page opened: a later draft belongs to an open field. */
  const early = useMemo(() => stored?.list().filter(({ field }) => isPart(field) || isAdded(field)) ?? [], [stored]);
  // A field that is opened, saved or discarded moves the focus.
  const [, setMoved] = useState(0);
  const isWaiting = early.some(({ field }) => (isPart(field) ? canEditChecklist : canAddChecklistItems));
  const named = useNamed(early.map(({ text }) => text));
  useEffect(() => {
    if (!isWaiting) return undefined;
    const move = () => setMoved(count => count + 1);
    document.addEventListener('focusin', move);
    return () => document.removeEventListener('focusin', move);
  }, [isWaiting]);

  const announce = useEffectEvent(say);
  const isAnything = isWaiting || waiting !== undefined;
  useEffect(() => {
    if (isAnything) announce(words.said);
  }, [isAnything]);

  const focused = document.activeElement?.closest<HTMLElement>('li[data-key]');
  const openKey = focused?.querySelector('.check-field, .check-held') ? Number(focused.dataset.key) : undefined;
  /** The key of the row with an open input below it. */
  const above = document.querySelector('.check-rows > li > .check-add')?.parentElement?.previousElementSibling;
  const addedKey = above instanceof HTMLElement ? above.dataset.key : undefined;
  const offeredDrafts = early.flatMap(({ field, base }) => {
    if (isPart(field) ? !canEditChecklist : !canAddChecklistItems) return [];
    const text = stored?.find({ field, base });
    const isRow = (row: Row) => (isPart(field) ? draftBase(row, field) === base : addDraft(addLabel(row)) === field);
    const at = rows.findIndex(isRow);
    // A new item is no less one without the row above it.
    const index = at < 0 && !isPart(field) ? rows.length - 1 : at;
    const [row, key] = [rows[index], keys[index]];
    if (text === undefined || !row || key === undefined) return [];
    if (isPart(field) ? key === openKey : String(key) === addedKey) return [];
    return [{ field, base, text: named(text), key, name: nameOf(row) }];
  });
  const discardField = useCallback(
    (field: string, base: string, button: HTMLElement) => {
      focusRow(button.closest('li'));
      stored?.keep({ field, base }, undefined);
      setMoved(count => count + 1);
      say(words.discarded);
    },
    [stored, say],
  );
  /** Opens an input below the row with that key, which finds the text. */
  const openAdded = useCallback(
    (field: string, base: string, key: number) => {
      const { current: now } = list;
      const index = now?.keys.indexOf(key) ?? -1;
      const row = now?.checklist.rows[index];
      const text = stored?.find({ field, base });
      if (!now || !row || text === undefined) return;
      stored?.keep({ field, base }, undefined);
      stored?.keep({ field: addDraft(addLabel(row)), base }, text);
      now.openAdd(index, false);
    },
    [list, stored],
  );
  /** A key of the notes' content, so that the notes are rendered again only if a draft changes. */
  const draftsJson = JSON.stringify(offeredDrafts);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `draftsJson` stands for the offered drafts.
  const notes = useMemo(() => {
    const notesByRow = new Map<number, ReactNode[]>();
    for (const { field, base, text, key, name } of offeredDrafts) {
      const part = isPart(field) ? field : 'new item';
      const open = (button: HTMLElement) =>
        isPart(field) ? openPart(button.closest('li'), field) : openAdded(field, base, key);
      const notice = (
        <Notice
          key={field}
          words={words.field(part, text)}
          of={`the unsaved ${part} ${part === 'new item' ? 'below' : 'of'} ${name}`}
          onOpen={open}
          onDiscard={button => discardField(field, base, button)}
        />
      );
      notesByRow.set(key, [...(notesByRow.get(key) ?? []), notice]);
    }
    return notesByRow;
  }, [draftsJson, discardField, openAdded]);
  const { issueKey } = host;
  const editor =
    waiting && isHere && issueKey !== undefined ? (
      <Notice
        words={words.editor(waiting.count)}
        of="the unsaved changes in the editor"
        onOpen={() => void dialogs.open('editor', { issueId, issueKey })}
        onDiscard={() => {
          waiting.discard();
          forget();
          say(words.discarded);
          focusElsewhere();
        }}
      />
    ) : null;
  return { editor, notes };
}
