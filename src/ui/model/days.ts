import type { HistoryEntry } from '../../client/history.ts';
import { relativeTime } from '../../domain/constants.ts';

/** What one person did in one go on one day. */
export interface Deeds {
  account: string;
  entries: readonly HistoryEntry[];
}

export interface Day {
  /** As it is called: “Today”. */
  name: string;
  deeds: readonly Deeds[];
}

const DAY = 86_400_000;

const long = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** A day where the user is. Noon of it is the same day in spite of clocks that change. */
const midnight = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();

export function dayName(time: Date, now: Date): string {
  const days = Math.round((midnight(now) - midnight(time)) / DAY);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return long.format(time).replace(',', '');
}

/** Hours and minutes, where the user is. */
export const clockTime = (time: Date): string => clock.format(time);

/** Less than a minute ago is `now`, since what shows it is rendered each minute. */
const MINUTE = 60_000;

/** `3 minutes ago` for what is less than a day old. Both arguments in milliseconds since the epoch. */
export const recentTime = (time: number, now: number): string | undefined =>
  now - time < DAY ? relativeTime(now - time < MINUTE ? now : time, now) : undefined;

/** Entries by day and, within a day, by whoever made them one after the other; both newest first. */
export function byDay(entries: readonly HistoryEntry[], now: Date): Day[] {
  const days: { name: string; deeds: { account: string; entries: HistoryEntry[] }[] }[] = [];
  for (const entry of entries) {
    const name = dayName(new Date(entry.created), now);
    if (days.at(-1)?.name !== name) days.push({ name, deeds: [] });
    const deeds = days.at(-1)?.deeds ?? [];
    if (deeds.at(-1)?.account !== entry.account) deeds.push({ account: entry.account, entries: [] });
    deeds.at(-1)?.entries.push(entry);
  }
  return days;
}
