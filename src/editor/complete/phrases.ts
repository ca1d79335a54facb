import type { ParsedComponents } from 'chrono-node';
import { GB } from 'chrono-node/en';

/** Dates in words. A chunk of its own, since it is rarely used. */

const two = (part: number | null) => String(part ?? 0).padStart(2, '0');

const dayOf = (parts: ParsedComponents): string =>
  `${String(parts.get('year') ?? 0).padStart(4, '0')}-${two(parts.get('month'))}-${two(parts.get('day'))}`;

/**
 * The day that a phrase such as `next friday` means today, as `yyyy-mm-dd`; `undefined` unless the whole of it is about
 * one day. Figures are day and month in this order, as everywhere in the language.
 */
export function dayOfPhrase(phrase: string, today: string): string | undefined {
  const wanted = phrase.trim();
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const [found, ...more] = GB.parse(wanted, new Date(year, month - 1, day, 12), { forwardDate: true });
  if (!found || more.length > 0 || found.index !== 0 || found.text.length !== wanted.length) return undefined;
  return dayOf(found.start);
}
