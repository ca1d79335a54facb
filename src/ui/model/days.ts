import type { HistoryEntry } from '../../client/history.ts';
import { relativeTime } from '../../domain/constants.ts';

/** Consecutive entries of one author on one day. */
export interface EntryGroup {
  account: string;
  entries: readonly HistoryEntry[];
}

export interface Day {
  /** Its heading: “Today”. */
  name: string;
  groups: readonly EntryGroup[];
}

const DAY_MS = 86_400_000;

const long = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Midnight in the user's time zone. Differences are rounded to days because of daylight saving. */
const midnight = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();

export function dayName(time: Date, now: Date): string {
  const days = Math.round((midnight(now) - midnight(time)) / DAY_MS);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return long.format(time).replace(',', '');
}

/** Day and month in the user's time zone. */
export const shortDay = (time: Date): string => short.format(time);

/** Hours and minutes in the user's time zone. */
export const clockTime = (time: Date): string => clock.format(time);

/** Day, hours and minutes in the user's time zone. */
export const fullTime = (time: Date): string => `${long.format(time).replace(',', '')}, ${clock.format(time)}`;

/** Less than a minute ago is `now`: the text is rendered once a minute. */
const MINUTE_MS = 60_000;

/** `3 minutes ago`, `2 days ago`. Both arguments in milliseconds since the epoch. */
export const timeSince = (time: number, now: number): string => relativeTime(now - time < MINUTE_MS ? now : time, now);

/** Entries by day and, within a day, by consecutive author; newest first. */
export function byDay(entries: readonly HistoryEntry[], now: Date): Day[] {
  const days: { name: string; groups: { account: string; entries: HistoryEntry[] }[] }[] = [];
  for (const entry of entries) {
    const name = dayName(new Date(entry.created), now);
    if (days.at(-1)?.name !== name) days.push({ name, groups: [] });
    const groups = days.at(-1)?.groups ?? [];
    if (groups.at(-1)?.account !== entry.account) groups.push({ account: entry.account, entries: [] });
    groups.at(-1)?.entries.push(entry);
  }
  return days;
}
