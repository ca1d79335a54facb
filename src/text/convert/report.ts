import { losses, paste as messages } from '../../domain/messages.ts';
import type { CleanNote } from '../document.ts';
import type { Loss } from './blocks.ts';

/** Kinds of loss listed one by one. */
const MAX_KINDS = 4;
/** Lost texts that a kind shows. */
const MAX_TEXTS = 3;
/** Characters of a lost text that are shown. */
const MAX_SHOWN_CHARS = 60;

/** The beginning of a text in one line. */
export function shortened(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxChars
    ? line
    : `${line
        .slice(0, maxChars)
        .replace(/\p{Surrogate}$/u, '')
        .trimEnd()}…`;
}

/**
 * Reports the losses of a conversion: each kind once, with its number and the lost texts. Every importer shows this
 * report.
 */
export function lossLines(lost: readonly Loss[]): string[] {
  const textsOf = new Map<string, string[]>();
  for (const { what, text } of lost) {
    const texts = textsOf.get(what);
    if (texts) texts.push(text);
    else textsOf.set(what, [text]);
  }
  const lossTexts = [...textsOf].map(([what, texts]) => {
    const nonBlankTexts = texts.filter(text => text.trim() !== '');
    const shown = nonBlankTexts.slice(0, MAX_TEXTS).map(text => shortened(text, MAX_SHOWN_CHARS));
    const times = messages.times(what, texts.length);
    return shown.length === 0 ? times : `${times} ${messages.lostTexts(shown, nonBlankTexts.length - shown.length)}`;
  });
  return lossTexts.length > MAX_KINDS
    ? [...lossTexts.slice(0, MAX_KINDS), messages.more(lossTexts.length - MAX_KINDS)]
    : lossTexts;
}

/** The losses by cleaning a text before it is read. A byte order mark is not reported, since it shows nothing. */
export const cleaningLosses = (notes: readonly CleanNote[]): Loss[] =>
  notes
    .filter(({ kind }) => kind !== 'byteOrderMark')
    .map(({ kind }) => ({ what: kind === 'nul' ? losses.nul : losses.half, line: 1, text: '' }));
