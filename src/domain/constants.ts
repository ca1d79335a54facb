/** Business constants that no other module owns. */
export const TOKEN_REFRESH_MS = 3_480_000;
export const CHUNK_LOAD_TIMEOUT_MS = 120_000;
export const MAX_USER_PICKER_RESULTS = 10;
export const USER_PICKER_AVATAR = '16x16';

/** Limits of one event stream: its subjects, and the subjects that are open for editing. */
export const MAX_LIVE_SUBJECTS = 100;
export const MAX_LIVE_EDITING = 20;

/** Applies to searches for assigned items. */
export const MAX_SEARCH_CHARS = 140;

/** Maximum size in UTF-16 units of an entity property's JSON value, and of a text field. */
export const PROPERTY_CAPACITY = 32_768;
export const FIELD_CAPACITY = 32_767;

/**
 * UTF-16 units of an issue's property that only changes of a status use: a mark of an item that had none, and the digits of
 * progress. Texts leave them free, so that items can be ticked when nothing more can be written.
 */
export const MARK_ROOM = 32;

/** Seconds at which relative time changes its unit: minutes, hours, days. */
const RELATIVE_UNITS = [
  { limit: 60, unit: 'second', size: 1 },
  { limit: 3_600, unit: 'minute', size: 60 },
  { limit: 86_400, unit: 'hour', size: 3_600 },
  { limit: Number.POSITIVE_INFINITY, unit: 'day', size: 86_400 },
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `3 minutes ago`, `yesterday`, `in 2 hours`. Both arguments in milliseconds since the epoch. */
export function relativeTime(time: number, now: number): string {
  const seconds = (time - now) / 1000;
  const { unit, size } = RELATIVE_UNITS.find(({ limit }) => Math.abs(seconds) < limit) ?? RELATIVE_UNITS[3];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** Applies to the revisions in one answer about conflicts. */
export const MAX_CONFLICT_ENTRIES = 50;

/** Features that an operator may hold back: `FEATURE_FLAGS` names those that are on. */
export const features = ['dayOffers', 'enforcementNotes'] as const;

export type Feature = (typeof features)[number];
