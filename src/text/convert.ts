import type { Loss } from './convert/blocks.ts';
import { candidates, type Detected, detecting } from './convert/detect.ts';
import { type Notation, readers, readingAs } from './convert/reader.ts';
import { cleaningLosses } from './convert/report.ts';
import { settle, write } from './convert/settle.ts';
import { isChecklistText } from './convert/text.ts';
import { cleanText } from './document.ts';
import { finish, type Sliced } from './sliced.ts';

export type { Loss } from './convert/blocks.ts';
export { type Notation, notations } from './convert/reader.ts';
export { lossLines } from './convert/report.ts';

export interface Converted {
  /** Checklist text, without a line break at its end. */
  text: string;
  /** The notation that the input was read as. */
  notation: Notation;
  /** Parts of the input that the checklist cannot hold, in the input's order. */
  lost: Loss[];
}

/** The name of a notation on screens. */
export const titleOf = (notation: Notation): string => readers[notation].title;

/** Generator variant of `convert` that yields while it reads a large text, so that it does not block other tasks. */
export function* converting(input: string, from: Notation | 'auto'): Sliced<Converted> {
  const { text, notes } = cleanText(input);
  const cleaned = cleaningLosses(notes);
  yield;
  if ((from === 'auto' || from === 'text') && isChecklistText(text))
    return { text: text.trimEnd(), notation: 'text', lost: cleaned };
  const { notation, draft }: Detected = from === 'auto' ? yield* detecting(text) : { notation: from };
  const { blocks, lost } = draft ?? (yield* readingAs(notation, text));
  yield;
  const settled = settle(blocks);
  yield;
  return { text: write(settled), notation, lost: [...cleaned, ...lost].sort((a, b) => a.line - b.line) };
}

/**
 * Turns text from elsewhere into checklist text. Every word that the input shows is in the text or in `lost`. `auto` takes
 * the notation whose reader explains most of it (see `detect`). Text that is a checklist already stays as it is. Never
 * throws.
 */
export const convert = (input: string, from: Notation | 'auto'): Converted => finish(converting(input, from));

/** Other notations than ordinary text that are offered. */
const MAX_ALTERNATIVES = 2;

/** The notations that a text could also be in, most likely first, without the notation that it was read as. */
export function alternativesTo(input: string, notation: Notation): Notation[] {
  const { text } = cleanText(input);
  const otherNotations = candidates(text)
    .filter(other => other !== notation && other !== 'text')
    .slice(0, MAX_ALTERNATIVES);
  return notation === 'text' ? otherNotations : [...otherNotations, 'text'];
}
