import type { ParsedComponents } from 'chrono-node';
import { GB } from 'chrono-node/en';
import { isIsoDay } from '../../text/references.ts';

/** Dates in words. A chunk of its own, since it is rarely used. */

const two = (part: number | null) => String(part ?? 0).padStart(2, '0');

export const dayOf = (parts: ParsedComponents): string =>
  `${String(parts.get('year') ?? 0).padStart(4, '0')}-${two(parts.get('month'))}-${two(parts.get('day'))}`;

/** Day and month in figures, with or without a year; a dot behind the month as in several languages. */
const figures = /^(\d{1,2})([./-])(\d{1,2})(?:\2|\2(\d{4}|\d{2}))?$/;

/** A leap day comes after eight years at the latest. */
const MAX_YEARS_TO_LEAP_DAY = 8;

/** The day in figures; without a year the next one of that date. `undefined` if the calendar has no such day. */
function dayOfFigures([, day = '', , month = '', written]: readonly (string | undefined)[], today: string) {
  const inYear = (year: number) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (written !== undefined) {
    const isoDay = inYear(Number(written.length === 2 ? `20${written}` : written));
    return isIsoDay(isoDay) ? isoDay : undefined;
  }
  const first = Number(today.slice(0, 4));
  const years = Array.from({ length: MAX_YEARS_TO_LEAP_DAY + 1 }, (_, after) => inYear(first + after));
  return years.find(found => isIsoDay(found) && found >= today);
}

/**
 * The day that a phrase such as `next friday` means today, as `yyyy-mm-dd`; `undefined` unless the whole of it is about
 * one day. Figures are day and month in this order, as everywhere in the language: another order is not guessed.
 */
export function dayOfPhrase(phrase: string, today: string): string | undefined {
  const trimmedPhrase = phrase.trim();
  const inFigures = figures.exec(trimmedPhrase);
  if (inFigures) return dayOfFigures(inFigures, today);
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const [found, ...more] = GB.parse(trimmedPhrase, new Date(year, month - 1, day, 12), { forwardDate: true });
  if (!found || more.length > 0 || found.index !== 0 || found.text.length !== trimmedPhrase.length) return undefined;
  return dayOf(found.start);
}
