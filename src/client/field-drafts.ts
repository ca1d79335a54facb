import * as v from 'valibot';
import { readAs, readJson } from '../domain/shape.ts';
import type { DraftSlot } from './drafts.ts';

const fieldsShape = v.array(v.object({ field: v.string(), base: v.string(), text: v.string() }));

/** A field of a list or a form: which one, and the text that it was opened with. */
export interface DraftField {
  field: string;
  base: string;
}

/** Unsaved texts of fields, as typed in this window or in a closed one. */
export interface FieldDrafts {
  /** All fields with an unsaved text, and that text. */
  list(): readonly (DraftField & { text: string })[];
  find(of: DraftField): string | undefined;
  /** Stores a field's text; removes it without one. Returns whether it is stored. */
  keep(of: DraftField, text: string | undefined): boolean;
}

/** The maximum number of unsaved texts in one slot; the oldest are dropped. */
const MAX_DRAFTS = 20;

const noBase = { epoch: '', seq: 0, text: '' };

/** The unsaved texts of several fields in one slot. */
export function fieldDrafts(slot: DraftSlot): FieldDrafts {
  const readDrafts = () => readAs(fieldsShape, readJson(slot.read()?.text ?? '')) ?? [];
  return {
    list: readDrafts,
    find: ({ field, base }) => readDrafts().find(each => each.field === field && each.base === base)?.text,
    keep: ({ field, base }, text) => {
      const storedDrafts = readDrafts();
      const otherDrafts = storedDrafts.filter(each => each.field !== field || each.base !== base);
      if (text === undefined && otherDrafts.length === storedDrafts.length) return true;
      const remainingDrafts =
        text === undefined ? otherDrafts : [...otherDrafts, { field, base, text }].slice(-MAX_DRAFTS);
      if (remainingDrafts.length > 0) return slot.keep({ base: noBase, text: JSON.stringify(remainingDrafts) });
      slot.clear();
      return true;
    },
  };
}
