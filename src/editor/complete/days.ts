import { isIsoDay } from '../../text/references.ts';

/** Days as `yyyy-mm-dd`, reckoned without a time zone. */

/** Day before month, as everywhere in the language. */
const long = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const longWithYear = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const isoOf = (date: Date): string => date.toISOString().slice(0, 10);

export function addDays(day: string, count: number): string {
  const date = dateOf(day);
  date.setUTCDate(date.getUTCDate() + count);
  return isoOf(date);
}

/** Returns the day `count` months later, or the last day of a shorter month. */
export function addMonths(day: string, count: number): string {
  const date = dateOf(day);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(dayOfMonth, last));
  return isoOf(date);
}

export const endOfMonth = (day: string): string => {
  const date = dateOf(day);
  return isoOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)));
};

/** `Friday`. */
const weekdayOf = (day: string): string => weekday.format(dateOf(day));

/** `Friday 27 November`, with the year if it differs from today's. */
export const writtenDay = (day: string, today: string): string =>
  // Browsers do not agree on a comma behind the weekday.
  (day.slice(0, 4) === today.slice(0, 4) ? long : longWithYear).format(dateOf(day)).replace(',', '');

const steps = /^([+-]?)\s*(\d{1,4})\s*(d|days?|w|weeks?|m|months?|y|years?)$/i;

/** The day that `+3d`, `2 weeks` or `-1m` means; `undefined` for anything else. */
export function dayAfterSteps(phrase: string, today: string): string | undefined {
  const [, sign, digits, unit] = steps.exec(phrase.trim()) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  const count = Number(digits) * (sign === '-' ? -1 : 1);
  switch (unit[0]?.toLowerCase()) {
    case 'd':
      return addDays(today, count);
    case 'w':
      return addDays(today, count * 7);
    case 'm':
      return addMonths(today, count);
    default:
      return addMonths(today, count * 12);
  }
}

/** A day that has a name of its own. */
export interface NamedDay {
  name: string;
  day: string;
}

/** The days that a list offers before a query: the next days by name, and the ends of week-like spans. */
export function namedDays(today: string): NamedDay[] {
  const week = Array.from({ length: 6 }, (_, index) => addDays(today, index + 2));
  return [
    { name: 'Today', day: today },
    { name: 'Tomorrow', day: addDays(today, 1) },
    ...week.map(day => ({ name: weekdayOf(day), day })),
    { name: 'End of month', day: endOfMonth(today) },
  ];
}

/** The only named day whose name begins with the phrase, of two letters at least. */
function dayOfName(phrase: string, today: string): string | undefined {
  const query = phrase.toLowerCase();
  const [found, ...more] =
    query.length < 2 ? [] : namedDays(today).filter(each => each.name.toLowerCase().startsWith(query));
  return more.length > 0 ? undefined : found?.day;
}

/**
 * The day that a phrase means today: a name, a number of days or weeks, figures, words. Resolves with `undefined` for
 * anything else; rejects if the words' table cannot be loaded.
 */
export async function dayOfWords(phrase: string, today: string): Promise<string | undefined> {
  const trimmedPhrase = phrase.trim();
  const day =
    dayOfName(trimmedPhrase, today) ??
    dayAfterSteps(trimmedPhrase, today) ??
    (await import('./phrases.ts')).dayOfPhrase(trimmedPhrase, today);
  return day !== undefined && isIsoDay(day) ? day : undefined;
}
