import { isIsoDay, isoDayOf } from '../../references.ts';
import { dueDayOfTime } from './cell-words.ts';
import { folded } from './column-names.ts';

/** Languages in which columns of tables are found. */
const languages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ja', 'zh', 'ko'];

const DAY_MS = 86_400_000;
/** A Sunday, whose week has the names of all days. */
const SUNDAY_MS = Date.UTC(2026, 0, 4);

type Name = 'month' | 'weekday' | 'relative';

/** Names of months (1 to 12), of weekdays (0 is Sunday) and of days near today (from it, in days), without dots. */
function namesOf(kind: Name): Map<string, number> {
  const names = new Map<string, number>();
  const put = (name: string, value: number) => {
    const word = bare(name);
    if (!names.has(word)) names.set(word, value);
  };
  for (const language of languages) {
    if (kind === 'relative') {
      const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
      for (const days of [0, 1, 2]) put(format.format(days, 'day'), days);
      continue;
    }
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { [kind]: style, timeZone: 'UTC' });
      const isMonth = kind === 'month';
      for (let at = 0; at < (isMonth ? 12 : 7); at++)
        put(format.format(isMonth ? Date.UTC(2026, at, 1) : SUNDAY_MS + at * DAY_MS), isMonth ? at + 1 : at);
    }
  }
  // As many write it in English.
  if (kind === 'month') put('sept', 9);
  return names;
}

const bare = (word: string) => folded(word).replace(/[.’]/g, match => (match === '.' ? '' : "'"));

const cache = new Map<Name, Map<string, number>>();
function lookUp(kind: Name, word: string): number | undefined {
  const names = cache.get(kind) ?? namesOf(kind);
  cache.set(kind, names);
  return names.get(word);
}

/** Words before a day that say it is the last one. */
const leading =
  /^(?:by|on|until|till|before|due|bis(?: zum)?|am|avant|pour|le|d'ici|para|antes del?|el|até|em|na|no|entro|voor|op|tegen)\s+(?=\S)/u;
const time = /[ ,]+(?:at )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?$/;
/** Longer cells are sentences. */
const MAX_CHARACTERS = 60;
/** As `//next Friday` in the editor: a day of the week that begins on the next Monday. */
const inNextWeek = /^next\s+(?=\S)/u;
const particles = new Set(['de', 'of', 'the', 'del']);

/** Returns the day here, as `yyyy-mm-dd`. */
let today: (() => string) | undefined;

/** Sets how the day here is found. A server has none: what its workers read depends on their input only. */
export function setToday(find: () => string): void {
  today = find;
}

const iso = (day: Date) => day.toISOString().slice(0, 10);
const plus = (from: string | undefined, days: number) =>
  from === undefined ? undefined : iso(new Date(Date.parse(from) + days * DAY_MS));

/** The day of a date with its month in words; without a year the next one. */
function datedDay(words: readonly string[], from: string | undefined): string | undefined {
  const months = words.flatMap(word => lookUp('month', word) ?? []);
  const numbers = words
    .filter(word => /^\d{1,4}(?:st|nd|rd|th|er|º|ª)?$/.test(word))
    .map(word => word.replace(/\D+$/, ''));
  if (months.length !== 1 || months.length + numbers.length !== words.length) return undefined;
  const isYearFirst = numbers[0]?.length === 4;
  const [day, year] = isYearFirst ? [numbers[1], numbers[0]] : numbers;
  if (day === undefined || day.length > 2 || numbers.length > 2 || year?.length === 1 || year?.length === 3)
    return undefined;
  const inYear = (year: string) => `${year}-${String(months[0]).padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (year !== undefined) return inYear(year.length === 2 ? `20${year}` : year);
  if (from === undefined) return undefined;
  const thisYear = inYear(from.slice(0, 4));
  return thisYear >= from ? thisYear : inYear(String(Number(from.slice(0, 4)) + 1));
}

/** The day that a cell says in words, as `12 Dec 2026`, `by Friday`, `next Friday` or `tomorrow`; `undefined` if it says more or less. */
function dayOfWords(cell: string, from: string | undefined): string | undefined {
  if (cell.length > MAX_CHARACTERS) return undefined;
  const words = bare(cell.toLowerCase().replace(time, '')).replace(leading, '');
  const [, year = '', month = '', day = ''] = /^(\d{4})年(\d{1,2})月(\d{1,2})日$/.exec(words) ?? [];
  if (year !== '') return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const near = lookUp('relative', words);
  if (near !== undefined) return plus(from, near);
  const weekday = lookUp('weekday', words.replace(inNextWeek, ''));
  if (weekday !== undefined && from !== undefined) {
    const day = new Date(from).getUTCDay();
    return plus(from, inNextWeek.test(words) ? ((8 - day) % 7 || 7) + ((weekday + 6) % 7) : (weekday - day + 7) % 7);
  }
  // The weekday before a date says nothing new.
  const date = words.replace(/^(\p{L}[\p{L}-]*),?\s+/u, (all, name: string) =>
    lookUp('weekday', name) === undefined || lookUp('month', name) !== undefined ? all : '',
  );
  const parts = date.split(/[\s,/-]+/).filter(part => part !== '' && !particles.has(part));
  return datedDay(parts, from);
}

/** A day in figures as the language has it, with or without a time behind it. */
export const dayPattern =
  /^(\d{4}[-./]\d\d[-./]\d\d|\d\d[-./]\d\d[-./]\d{4})(?:[T ][\d:.]*(?: ?(?:Z|[+-]\d\d:?\d\d))?(?: ?[AP]M)?)?$/i;

/** The day that a cell says in figures or words, as `yyyy-mm-dd`; `undefined` if it says more or less. */
export function dayOfCell(cell: string): string | undefined {
  const figures = dayPattern.exec(cell)?.[1] ?? dueDayOfTime(cell);
  const day = figures === undefined ? dayOfWords(cell, today?.()) : isoDayOf(figures);
  return day !== undefined && isIsoDay(day) ? day : undefined;
}
