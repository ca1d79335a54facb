import { useEffect, useEffectEvent, useState } from 'react';
import { conflicts as words } from '../../../domain/messages.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { nameOf } from '../../model/rows/row-segments.ts';
import { useServices } from '../../shell/services/services.ts';
import type { UsedChecklist } from '../checklist-view.tsx';
import { focusRow, keyAt, mainControlOf } from '../list/list-dom.ts';
import { openSections } from '../list/list-moves.ts';

/** A row's field that another user's change has unmounted while it was open. */
export interface LostField {
  part: 'text' | 'details';
  /** The row as it was, and its index. */
  row: Row;
  index: number;
  /** The row that has its text now: it is back, it is hidden, or too much of it has changed to know it again. */
  found: Row | undefined;
  isDeleted: boolean;
  /** Account that made the change, if known. */
  by: string | undefined;
}

/** Passes lost fields to the list that they were in. */
export interface LostFields {
  /** Returns whether the list of that issue is there. */
  publish(issueId: string, lost: LostField): boolean;
  listen(issueId: string, listener: (lost: LostField) => void): () => void;
}

export function createLostFields(): LostFields {
  const listeners = new Map<string, (lost: LostField) => void>();
  return {
    publish: (issueId, lost) => {
      const listener = listeners.get(issueId);
      listener?.(lost);
      return listener !== undefined;
    },
    listen: (issueId, listener) => {
      listeners.set(issueId, listener);
      return () => {
        if (listeners.get(issueId) === listener) listeners.delete(issueId);
      };
    },
  };
}

/** The note about a deleted row whose field was lost; undefined if the row was not deleted. */
export const lostWords = ({ row, found, isDeleted }: LostField, name: string): string | undefined =>
  isDeleted ? words.deletedMeanwhile(name, nameOf(row), found !== undefined) : undefined;

/** The notice about a lost field: below the row of that key, or above the list if no row is left for the text. */
export interface LostNote {
  lost: LostField;
  key: number | undefined;
}

/**
 * Opens a lost field again at the row that has its text, which it shows in spite of a filter. Returns what to say of it until
 * the focus goes elsewhere.
 */
export function useLostField(
  { store, keys, rowFilter, list }: UsedChecklist,
  checklist: Checklist,
): LostNote | undefined {
  const { once } = useServices();
  const fields = once(createLostFields);
  const [note, setNote] = useState<LostNote | undefined>(undefined);
  /** A field to open. */
  const [opening, setOpening] = useState<LostField | undefined>(undefined);
  const { rows } = checklist;
  const { visible, pin, fold } = rowFilter;
  const onLost = useEffectEvent((lost: LostField) => {
    setOpening(lost.found && lost);
    // Below the row above.
    const index = lost.found ? rows.indexOf(lost.found) : Math.max(0, lost.index - 1);
    setNote({ lost, key: lost.found || visible.shown.includes(index) ? keys[index] : undefined });
  });
  useEffect(() => fields.listen(store.issueId, lost => onLost(lost)), [fields, store]);

  // The key is known once the row is in the list.
  const foundRow = note?.lost.found;
  const key = foundRow && keys[rows.indexOf(foundRow)];
  if (note && key !== undefined && note.key !== key) setNote({ ...note, key });

  const open = useEffectEvent(() => {
    const wantedKey = opening?.found && keys[rows.indexOf(opening.found)];
    if (!opening || wantedKey === undefined) return;
    const row = list.current?.list?.querySelector(`:scope > [data-key="${wantedKey}"]`);
    if (!row) {
      openSections(checklist, keys.indexOf(wantedKey), visible, fold);
      return pin([wantedKey]);
    }
    setOpening(undefined);
    // The user has gone on elsewhere.
    if (document.activeElement !== document.body) return;
    focusRow(row);
    const key = opening.part === 'text' ? 'F2' : '>';
    mainControlOf(row)?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row may be rendered later.
  useEffect(open, [opening, keys, visible]);

  useEffect(() => {
    if (!note) return undefined;
    const leave = ({ target }: FocusEvent) => {
      if (!note.lost.found || keyAt(target) !== note.key) setNote(undefined);
    };
    document.addEventListener('focusin', leave);
    return () => document.removeEventListener('focusin', leave);
  }, [note]);
  return note;
}
