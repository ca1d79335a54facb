import * as de from 'chrono-node/de';
import { GB } from 'chrono-node/en';
import * as es from 'chrono-node/es';
import * as fr from 'chrono-node/fr';
import * as it from 'chrono-node/it';
import * as ja from 'chrono-node/ja';
import * as nl from 'chrono-node/nl';
import * as pt from 'chrono-node/pt';
import * as zh from 'chrono-node/zh';
import { isIsoDay } from '../../text/references.ts';
import { dayOf } from './phrases.ts';

/** Days in words at the end of a sentence, in the languages in which columns of tables are found. A chunk of its own. */

const languages = [GB, de.casual, es.casual, fr.casual, it.casual, ja.casual, nl.casual, pt.casual, zh.casual];

/** A word that leads to a day, and belongs to it: `by Friday`. */
const leading =
  /(?:^|\s)(?:by|on|until|till|before|due|bis(?: zum)?|am|avant|pour|le|d'ici|para|antes del?|el|até|na|no|entro|voor|op|tegen)\s+$/iu;

/** Fewer letters and digits say other things too: `sat`, `so`. */
const MIN_DAY_CHARS = 4;

/** Signs of scripts that need few of them. */
const isShortScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The longest words that say a day are shorter, such as `before Wednesday, the 23rd of September 2026`. */
const MAX_DAY_CHARS = 80;

/** A day at the end of some words. */
export interface DayAtEnd {
  /** The start of the words that say the day. */
  from: number;
  /** As `yyyy-mm-dd`. */
  day: string;
}

/** Finds the words at the end of a sentence that say one day; `undefined` for no day, a time, or a past day. */
export function dayAtEnd(sentence: string, today: string): DayAtEnd | undefined {
  const cut = sentence.length - MAX_DAY_CHARS;
  // Not within a word, which might say a day by its end alone.
  const start = cut > 0 ? cut + Math.max(0, sentence.slice(cut).search(/\s/u)) : 0;
  // The full stop goes with the day.
  const words = sentence.slice(start).replace(/[.!。]+$/u, '');
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const noon = new Date(year, month - 1, day, 12);
  const days = languages.flatMap(language => {
    const last = language.parse(words, noon, { forwardDate: true }).at(-1);
    if (!last || last.end || last.index + last.text.length !== words.length) return [];
    const isDay = last.start.isCertain('day') || last.start.isCertain('weekday');
    const characters = last.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    const isClear = characters >= MIN_DAY_CHARS || isShortScript.test(last.text);
    const isTime = last.start.isCertain('hour') || [...last.tags()].some(tag => tag.endsWith('TimeParser'));
    if (!isDay || !isClear || isTime) return [];
    return [{ index: last.index, day: dayOf(last.start) }];
  });
  const [longest] = days.sort((one, other) => one.index - other.index);
  if (!longest || !isIsoDay(longest.day) || longest.day < today) return undefined;
  const lead = leading.exec(words.slice(0, longest.index));
  const from = lead ? longest.index - lead[0].trimStart().length : longest.index;
  return { from: start + from, day: longest.day };
}
