import * as v from 'valibot';
import type { Owner } from '../bridge/bridge.ts';
import { readAs } from '../domain/shape.ts';
import { openDraft } from './drafts.ts';
import type { Page } from './page.ts';

const fieldsShape = v.array(v.object({ field: v.string(), base: v.string(), text: v.string() }));

/** A field of a checklist's list: which one, and the text that it was opened with. */
export interface DraftField {
  field: string;
  base: string;
}

/** Unsaved texts of the fields of one issue's list, as typed in this window or in a closed one. */
export interface FieldDrafts {
  find(of: DraftField): string | undefined;
  /** Stores a field's text; removes it without one. Returns whether it is stored. */
  keep(of: DraftField, text: string | undefined): boolean;
}

/** The most unsaved texts of one list; the oldest are dropped. */
const MOST = 20;

const noBase = { epoch: '', seq: 0, text: '' };

function parse(kept: string | undefined): v.InferOutput<typeof fieldsShape> {
  try {
    return readAs(fieldsShape, JSON.parse(kept ?? '[]')) ?? [];
  } catch {
    return [];
  }
}

/** Opens the unsaved texts of an issue's fields: one draft for all of them, with an editor's rules for windows. */
export async function openFieldDrafts(owner: Owner, issueId: string, page?: Page): Promise<FieldDrafts> {
  const slot = await openDraft(owner, `${issueId}/fields`, page);
  const all = () => parse(slot.read()?.text);
  return {
    find: ({ field, base }) => all().find(each => each.field === field && each.base === base)?.text,
    keep: ({ field, base }, text) => {
      const known = all();
      const others = known.filter(each => each.field !== field || each.base !== base);
      if (text === undefined && others.length === known.length) return true;
      const left = text === undefined ? others : [...others, { field, base, text }].slice(-MOST);
      if (left.length > 0) return slot.keep({ base: noBase, text: JSON.stringify(left) });
      slot.clear();
      return true;
    },
  };
}
