import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { type WaitingDrafts, waitingDrafts } from '../../../client/drafts.ts';
import { fieldDrafts } from '../../../client/field-drafts.ts';
import { drafts as words } from '../../../domain/messages.ts';
import type { Checklist } from '../../../text/types.ts';
import { fieldsOf, useDraftSlot } from '../../model/drafts/use-draft-slot.ts';
import { nameOf } from '../../model/rows/row-segments.ts';
import { useCover, useDialogs } from '../../shell/navigation/dialogs.tsx';
import { useBridge, useHostContext, useUser } from '../../shell/services/services.ts';
import { focusRow } from '../list/list-dom.ts';
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

/**
 * The unsaved texts that were there when the page opened: of closed editors, and of rows' fields. Returns a notice of the
 * former, and those of the latter by the rows' keys. `focusElsewhere` takes the focus of a removed notice.
 */
export function useWaitingDrafts(
  issueId: string,
  { rows }: Checklist,
  keys: readonly number[],
  say: (text: string) => void,
  focusElsewhere: () => void,
): { editor: ReactNode; notes: ReadonlyMap<number, ReactNode> } {
  const host = useHostContext();
  const dialogs = useDialogs();
  const isHere = host.issueId === issueId;
  const { canEditChecklist } = useUser();
  const { waiting, forget } = useEditorDrafts(issueId);
  const slot = useDraftSlot(isHere ? fieldsOf(issueId) : undefined);
  const stored = useMemo(() => slot && fieldDrafts(slot), [slot]);
  /** What was there at first: what is typed later is in an open field. */
  const early = useMemo(() => stored?.list().filter(({ field }) => isPart(field)) ?? [], [stored]);
  // A field that is opened, saved or discarded moves the focus.
  const [, setMoved] = useState(0);
  const isWaiting = early.length > 0;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const move = () => setMoved(count => count + 1);
    document.addEventListener('focusin', move);
    return () => document.removeEventListener('focusin', move);
  }, [isWaiting]);

  const announce = useEffectEvent(say);
  const isAnything = canEditChecklist && (isWaiting || waiting !== undefined);
  useEffect(() => {
    if (isAnything) announce(words.said);
  }, [isAnything]);

  const focused = document.activeElement?.closest<HTMLElement>('li[data-key]');
  const openKey = focused?.querySelector('.check-field, .check-held') ? Number(focused.dataset.key) : undefined;
  const left = early.flatMap(({ field, base }) => {
    const text = stored?.find({ field, base });
    const index = isPart(field) ? rows.findIndex(row => draftBase(row, field) === base) : -1;
    const [row, key] = [rows[index], keys[index]];
    if (!isPart(field) || text === undefined || !row || key === undefined || key === openKey) return [];
    return [{ field, base, text, key, name: nameOf(row) }];
  });
  const discardField = useCallback(
    (field: TextPart, base: string, button: HTMLElement) => {
      focusRow(button.closest('li'));
      stored?.keep({ field, base }, undefined);
      setMoved(count => count + 1);
      say(words.discarded);
    },
    [stored, say],
  );
  /** What the notes are made of: they are new only when that is. */
  const known = JSON.stringify(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `known` stands for what is left.
  const notes = useMemo(() => {
    const found = new Map<number, ReactNode[]>();
    for (const { field, base, text, key, name } of canEditChecklist ? left : []) {
      const notice = (
        <Notice
          key={field}
          words={words.field(field, text)}
          of={`the unsaved ${field} of ${name}`}
          onOpen={button => openPart(button.closest('li'), field)}
          onDiscard={button => discardField(field, base, button)}
        />
      );
      found.set(key, [...(found.get(key) ?? []), notice]);
    }
    return found;
  }, [known, canEditChecklist, discardField]);
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
