import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { DRAFT_DELAY, type DraftSlot } from '../../../client/drafts.ts';
import { type DraftField, type FieldDrafts, fieldDrafts } from '../../../client/field-drafts.ts';
import { createTimer, type Timer } from '../../../domain/timing.ts';
import { useFlushed } from './use-flushed.ts';

interface State {
  drafts: FieldDrafts | undefined;
  of: DraftField;
  text: string | undefined;
  /** `new`: nothing is typed, and no stored text is shown. `typed`: newer than the stored text. */
  is: 'new' | 'typed' | 'kept';
}

/** The unsaved text of one field, stored while the user types. */
export interface FieldDraft {
  /**
   * A text of this field that was not saved. Known at once if the slot is open; otherwise it comes later, and the field
   * joins it with what was typed meanwhile.
   */
  found: string | undefined;
  /** The browser could store what was typed, as far as known. */
  isKept: boolean;
  /** Takes each new text, and `undefined` once the text is saved or discarded. Stable. */
  keep(text: string | undefined): void;
}

/**
 * Stores what is typed in a field while it is typed, in a slot (`useDraftSlot`) that is `undefined` until it is open.
 * `base` is the text that the field has without a draft: another one moves the draft.
 */
export function useFieldDraft(slot: DraftSlot | undefined, field: string, base: string): FieldDraft {
  const drafts = useMemo(() => slot && fieldDrafts(slot), [slot]);
  const [found, setFound] = useState(() => drafts?.find({ field, base }));
  const [isKept, setKept] = useState(true);
  const state = useRef<State>({ drafts, of: { field, base }, text: found, is: found === undefined ? 'new' : 'kept' });
  const timer = useRef<Timer | undefined>(undefined);
  const flush = useCallback(() => {
    const { current: now } = state;
    timer.current?.stop();
    if (!now.drafts || now.is !== 'typed') return;
    const isStored = now.drafts.keep(now.of, now.text);
    // Not after a text was removed: that needs no room.
    if (now.text !== undefined) setKept(isStored);
    now.is = 'kept';
  }, []);
  useEffect(() => {
    const { current: now } = state;
    const { drafts, of } = now;
    if (of.field === field && of.base === base) return;
    // The row was changed elsewhere: the text is found with the row's newest text.
    now.of = { field, base };
    if (now.is === 'new') return;
    drafts?.keep(of, undefined);
    now.is = 'typed';
    flush();
  }, [field, base, flush]);
  useEffect(() => {
    const { current: now } = state;
    if (!drafts || now.drafts === drafts) return;
    now.drafts = drafts;
    const older = drafts.find(now.of);
    if (older === undefined) return flush();
    // Stored again once it is joined with what was typed: until then the older text stays.
    now.is = 'new';
    setFound(older);
  }, [drafts, flush]);
  useFlushed(flush);
  const keep = useCallback(
    (text: string | undefined) => {
      const { current: now } = state;
      // A text from before that is not shown yet stays.
      if (text === undefined && now.is === 'new') return;
      now.text = text;
      now.is = 'typed';
      timer.current ??= createTimer(flush);
      if (text === undefined) flush();
      // Not started anew by each key: typing without a pause is stored too.
      else if (!timer.current.isPending()) timer.current.start(DRAFT_DELAY);
    },
    [flush],
  );
  return { found, isKept, keep };
}
