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

/** Says what a conversion lost: each kind once, with how often and what it was. Every door of the app shows this. */
export function lossLines(lost: readonly Loss[]): string[] {
  const textsOf = new Map<string, string[]>();
  for (const { what, text } of lost) {
    const texts = textsOf.get(what);
    if (texts) texts.push(text);
    else textsOf.set(what, [text]);
  }
  const all = [...textsOf].map(([what, texts]) => {
    const said = texts.filter(text => text.trim() !== '');
    const shown = said.slice(0, MAX_TEXTS).map(text => shortened(text, MAX_SHOWN_CHARS));
    const times = messages.times(what, texts.length);
    return shown.length === 0 ? times : `${times} ${messages.lostTexts(shown, said.length - shown.length)}`;
  });
  return all.length > MAX_KINDS ? [...all.slice(0, MAX_KINDS), messages.more(all.length - MAX_KINDS)] : all;
}

/** What had to be taken out of a text before it was read. A mark of the byte order shows nothing. */
export const cleaningLosses = (notes: readonly CleanNote[]): Loss[] =>
  notes
    .filter(({ kind }) => kind !== 'byteOrderMark')
    .map(({ kind }) => ({ what: kind === 'nul' ? losses.nul : losses.half, line: 1, text: '' }));
