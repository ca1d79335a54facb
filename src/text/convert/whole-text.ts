import { paste as messages } from '../../domain/messages.ts';
import { type Converted, convert, lossLines, type Notation } from '../convert.ts';
import { MAX_MARKUP_CHARS } from './clip.ts';

/** How many of a text's first characters show whether it is binary. */
const JUDGED_CHARS = 10_000;
/** A text is binary if more than this share of its characters are controls, or bytes that were no character. */
const MAX_UNREADABLE_SHARE = 1 / 20;
/** Of a short text a few such characters, as of a cut emoji, say nothing. */
const MIN_UNREADABLE = 8;

/** Whether a text is the content of a program, an archive or an image. */
function isBinary(text: string): boolean {
  const judged = text.slice(0, JUDGED_CHARS);
  const unreadable = judged.match(/(?![\t\n\r\f])\p{Cc}|\uFFFD/gu)?.length ?? 0;
  return unreadable >= MIN_UNREADABLE && unreadable > MAX_UNREADABLE_SHARE * judged.length;
}

/** Converts the text of a file or a message, in any notation, or says why there is no list in it. */
export function convertWhole(text: string, from: Notation | 'auto'): Converted | { refusal: string } {
  if (text.length > MAX_MARKUP_CHARS) return { refusal: messages.tooLong(text.length, MAX_MARKUP_CHARS) };
  if (isBinary(text)) return { refusal: messages.binary };
  const converted = convert(text, from);
  return converted.text === '' ? { refusal: [messages.noList, ...lossLines(converted.lost)].join(' ') } : converted;
}
