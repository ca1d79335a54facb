import { useCallback, useEffect, useState } from 'react';
import { type GenericSchema, parse } from 'valibot';
import { readAs, readJson } from '../../../domain/shape.ts';
import { changedValues } from '../../kit/form/form.tsx';
import type { EntryDraft } from '../../shell/entry-form.tsx';
import { useDraftSlot } from './use-draft-slot.ts';
import { useFieldDraft } from './use-field-draft.ts';

/** The values of a form, and their draft. */
export interface FormDraft<Values> extends EntryDraft {
  values: Values;
  change(next: Partial<Values>): void;
}

/** The slot that all forms share. */
const SLOT_NAME = 'settings';

/** Opens the drafts of forms ahead: a form waits for its own. For the screens that have forms. */
export const useFormDrafts = (): void => void useDraftSlot(SLOT_NAME);

interface Options<Values> {
  /** The values that the form begins with. */
  before: Values;
  /** The values that a user entered for an entry that was deleted meanwhile. */
  unsaved?: Values | undefined;
  /** The values that are stored, each optional. What it does not name, such as a secret, never is. */
  shape: GenericSchema<unknown, Partial<Values>>;
}

/**
 * The values of a form for an entry, stored while they are entered, and shown again by the next form of that name.
 * Unchanged values are not stored, so that they are those of the entry. The name says which entry of what it is.
 */
export function useFormDraft<Values extends object>(
  name: string,
  { before, unsaved, shape }: Options<Values>,
): FormDraft<Values> {
  const slot = useDraftSlot(SLOT_NAME);
  const { found, isKept, keep } = useFieldDraft(slot, name, '');
  const [entered, setEntered] = useState<Partial<Values>>(unsaved ?? {});
  const restored = found === undefined ? undefined : readAs(shape, readJson(found));
  const values: Values = { ...before, ...restored, ...entered };
  const stored = parse(shape, changedValues(before, values));
  const text = Object.keys(stored).length === 0 ? undefined : JSON.stringify(stored);
  useEffect(() => keep(text), [keep, text]);
  return {
    values,
    change: next => setEntered(now => ({ ...now, ...next })),
    isKnown: slot !== undefined,
    isRestored: restored !== undefined,
    isKept,
    discard: useCallback(() => keep(undefined), [keep]),
  };
}
