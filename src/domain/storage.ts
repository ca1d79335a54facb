import * as v from 'valibot';
import { edition } from './edition.ts';
import { rowHash } from './row-hash.ts';
import { readAs } from './shape.ts';
import type { RuleData } from './workflow/data.ts';

/** The kinds of values stored in the tracker: the six keys and one for the statuses, with their shapes. */
export type StoredThing =
  | 'checklist'
  | 'default-template'
  | 'show-in-center-panel'
  | 'template-index'
  | 'templates'
  | 'hide-notice'
  | 'statuses';

export const storageKey = (thing: StoredThing, addonKey = edition.key): string => `${addonKey}.${thing}`;

/** The user's own settings, stored as strings in the tracker. */
export const HIDE_COMPLETED = 'hide_completed_items';
export const isYes = (stored: unknown): boolean => stored === 'true';
export const yesNo = (value: boolean): string => String(value);

/** A checklist's default name; that of a migrated one is `Checklists (migrated)`, optionally with a number. */
export const DEFAULT_NAME = 'Checklists';
const defaultName = /^Checklists( \(migrated( \d+)?\))?$/;
export const isDefaultName = (name: string): boolean => defaultName.test(name);

/** The field that mirrors the checklist, and every name under which a checklist field is read. */
export const FIELD_NAME = 'Checklist Text';
export const isChecklistField = (name: string): boolean => name === FIELD_NAME || isDefaultName(name);

/** The issue property: the text, its search data and what workflow rules read, so that one write stores all. */
export interface ChecklistProperty {
  v: 1;
  /** Changes when the tenant is reinstalled or restored: `seq` counts within one epoch. */
  epoch: string;
  seq: number;
  name: string;
  text: string;
  progress: { total: number; checked: number; percent: number; mandatoryOpen: number };
  /** Progress in words for a field of the tracker: `3/7`. Absent if there are no items. */
  label?: string;
  /** Absent if the text leaves no room for it. */
  rules?: RuleData;
  /** Absent if the text leaves no room for it. */
  search?: SearchData;
  /**
   * The lasting ids of the text's rows (`packRowIds`). Absent if the text leaves no room for them, or one is missing.
   */
  rows?: string;
}

/** Characters of a row's lasting id, and of the hash of a text. */
const ID_LENGTH = 8;

/** The ids of a text's rows as the property holds them: behind the text's hash, as others may change the text alone. */
export const packRowIds = (text: string, ids: readonly string[]): string | undefined =>
  ids.length > 0 && ids.every(id => id.length === ID_LENGTH) ? rowHash(text) + ids.join('') : undefined;

/** The ids of a text's rows; `undefined` if the packed ones are of another text. */
function unpackRowIds(text: string, packed: string | undefined): string[] | undefined {
  if (packed?.slice(0, ID_LENGTH) !== rowHash(text)) return undefined;
  return packed.slice(ID_LENGTH).match(/.{8}/g) ?? undefined;
}

/** Data for the tracker's search language, besides text and counts. */
export interface SearchData {
  /** Names of the statuses in use. */
  statuses: string[];
  /** Account ids of the assignees of open items. */
  assignees: string[];
  /** ISO days by which open items are due, earliest first. */
  dueDates: string[];
  /** Gates of sections with open items: names of the tracker's statuses. */
  gates: string[];
}

const propertyShape = v.object({
  v: v.literal(1),
  epoch: v.string(),
  seq: v.number(),
  name: v.string(),
  text: v.string(),
  rows: v.fallback(v.optional(v.string()), undefined),
});

/** The value under the checklist key. `foreign` is any value of an unknown shape. */
export type StoredChecklist =
  | { kind: 'ours'; epoch: string; seq: number; name: string; text: string; rows: readonly string[] | undefined }
  | { kind: 'text'; text: string }
  | { kind: 'foreign' }
  | { kind: 'absent' };

/**
 * Reads a property's value. A plain string is a checklist's text; an unknown shape is `foreign` and never discarded.
 */
export function parseChecklistProperty(value: unknown): StoredChecklist {
  if (value === undefined || value === null) return { kind: 'absent' };
  if (typeof value === 'string') return { kind: 'text', text: value };
  const parsed = readAs(propertyShape, value);
  if (!parsed) return { kind: 'foreign' };
  const { epoch, seq, name, text, rows } = parsed;
  return { kind: 'ours', epoch, seq, name, text, rows: unpackRowIds(text, rows) };
}

/** The value's size as the tracker counts it: UTF-16 units of its JSON. */
export const encodedSize = (value: unknown): number => JSON.stringify(value).length;
