import * as v from 'valibot';
import { edition } from './edition.ts';
import { readAs } from './shape.ts';

/** What the add-on stores in the tracker: the six keys (spec §3), one for the statuses, and the shapes behind them. */
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

/** A checklist's default name, and the names that a migrated one may bear. */
export const DEFAULT_NAME = 'Checklists';
export const MIGRATED_NAME = 'Checklists (migrated)';
const defaultName = /^Checklists( \(migrated( \d+)?\))?$/;

/** The field that mirrors the checklist, and every name under which a checklist field is read. */
export const FIELD_NAME = 'Checklist Text';
export const isChecklistField = (name: string): boolean => name === FIELD_NAME || defaultName.test(name);

/** The issue property: the text and, beside it, what people search for, so that one write does both. */
export interface ChecklistProperty {
  v: 1;
  /** Changes when the tenant is installed anew or restored: `seq` counts within one epoch. */
  epoch: string;
  seq: number;
  name: string;
  text: string;
  progress: { total: number; checked: number; percent: number; mandatoryOpen: number };
  /** Left out where the text leaves no room for it. */
  search?: SearchData;
}

/** What people search for in the tracker's own language, besides text and counts. */
export interface SearchData {
  /** Names of the statuses that items have. */
  statuses: string[];
  /** Account ids of those whom open items are for. */
  assignees: string[];
  /** ISO days by which open items are due, earliest first. */
  dueDates: string[];
}

const propertyShape = v.object({
  v: v.literal(1),
  epoch: v.string(),
  seq: v.number(),
  name: v.string(),
  text: v.string(),
});

/** What was found under the checklist key. `foreign` is any value that is not ours to understand. */
export type StoredChecklist =
  | { kind: 'ours'; epoch: string; seq: number; name: string; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'foreign' }
  | { kind: 'absent' };

/** Reads a property's value. A plain string is a checklist's text; an unknown shape is `foreign` and never thrown away. */
export function parseChecklistProperty(value: unknown): StoredChecklist {
  if (value === undefined || value === null) return { kind: 'absent' };
  if (typeof value === 'string') return { kind: 'text', text: value };
  const parsed = readAs(propertyShape, value);
  if (!parsed) return { kind: 'foreign' };
  const { epoch, seq, name, text } = parsed;
  return { kind: 'ours', epoch, seq, name, text };
}

/** The value's size as the tracker counts it: UTF-16 units of its JSON. */
export const encodedSize = (value: unknown): number => JSON.stringify(value).length;
