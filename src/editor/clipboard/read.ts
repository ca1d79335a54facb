import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { paste as messages } from '../../domain/messages.ts';
import { isOurs } from '../../text/convert/text.ts';
import { convert, type Loss, type Notation } from '../../text/convert.ts';
import { cleanText } from '../../text/document.ts';

/** What is on a clipboard, or was dropped; empty where there is nothing of a kind. */
export interface Clip {
  html: string;
  text: string;
}

/** The mark of the app's own copies; text after it is ignored. */
export const OWN_MARK = 'data-checklist-text';

/** Characters of plain text beyond which nothing is pasted: many times what any checklist holds. */
export const TEXT_MOST = 10 * PROPERTY_CAPACITY;
/** Characters of markup that are read; above, which takes half a second and more, only the plain text is. */
export const MARKUP_MOST = 1_000_000;

/** A clip as checklist content. */
export type Reading =
  /** Plain text, inserted by the editor's default. */
  | { kind: 'plain'; note?: string }
  | { kind: 'refused'; why: string }
  /** A piece of a line. */
  | { kind: 'words'; words: string; lost: readonly Loss[] }
  /** Whole lines of checklist text. */
  | {
      kind: 'lines';
      text: string;
      /** The lines without marks, where they had none of their own. */
      prose: readonly string[] | undefined;
      lost: readonly Loss[];
      /** Whether they are something else than the plain text. */
      converted: boolean;
    };

const blockMarkup =
  /<(?:li|h[1-6]|tr|dt|ac:task|input\s[^>]*checkbox)\b|mso-list:|role=["']?checkbox|data-task-state|<blockquote\b/i;
const inlineMarkup =
  /<a\s[^>]{0,200}href\s*=\s*["']?(?:https?|mailto):|<(?:b|strong|i|em|s|del|strike|code)\b|font-weight:\s*(?:bold|[6-9]00)|line-through/i;
/** Code copied from an editor, without useful markup. */
const codeMarkup = /<pre\b|font-family:[^;>]{0,200}(?:mono|consolas|menlo|courier)/i;

/** Whether markup says more than the plain text beside it. */
const isWorthReading = (html: string): boolean =>
  html.includes('>') && (blockMarkup.test(html) || (inlineMarkup.test(html) && !codeMarkup.test(html)));

const ownMark = new RegExp(`<\\w+ ${OWN_MARK}\\b`);

/** Whether a clip was copied here. */
export const isOwn = ({ html }: Clip): boolean => ownMark.test(html);

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');

/** Lines as checklist text, if each is an item by nothing but standing on a line of its own. */
const asItems = (lines: readonly string[]): string => lines.map(line => `- ${line}`).join('\n');

/** Reads a text in some notation; `auto` detects it. */
export function readNotation(text: string, notation: Notation | 'auto'): Reading {
  const clean = cleanText(text).text;
  if (clean.length > TEXT_MOST) return { kind: 'refused', why: messages.tooMuch(clean.length, PROPERTY_CAPACITY) };
  const converted = convert(clean, notation);
  const lines = linesOf(clean);
  const plain = converted.text === asItems(lines);
  const { lost } = converted;
  return {
    kind: 'lines',
    text: converted.text,
    prose: plain ? lines : undefined,
    lost,
    converted: converted.text !== clean.trimEnd(),
  };
}

/** Markup as checklist text: a piece of a line where it is one, nothing where it shows no text. */
function readMarkup(html: string): Reading | undefined {
  const { text, lost } = convert(html, 'html');
  if (text === '' && lost.length === 0) return undefined;
  const words = text.startsWith('- ') ? text.slice(2) : text;
  if (!text.includes('\n') && convert(words, 'text').text === `- ${words}`) return { kind: 'words', words, lost };
  // Paragraphs alone: what each says could as well stand in a detail.
  const prose = /<(?:li|input|h[1-6]|tr|ac:task)\b|mso-list:|role=["']?checkbox|data-task-state/i.test(html);
  const lines = text.split('\n');
  return {
    kind: 'lines',
    text,
    prose: prose || lines.some(line => !line.startsWith('- ')) ? undefined : lines.map(line => line.slice(2)),
    lost,
    converted: true,
  };
}

/**
 * What a clip says: our own copies and single lines as they are; markup where it says more than the text beside it; else
 * the text in whichever notation it is.
 */
export function readClip(clip: Clip): Reading {
  const { html, text } = clip;
  const own = isOwn(clip);
  if (text.length > TEXT_MOST) return { kind: 'refused', why: messages.tooMuch(text.length, PROPERTY_CAPACITY) };
  if (own && (!text.includes('\n') || !isOurs(text))) return { kind: 'plain' };
  const isLarge = html.length > MARKUP_MOST;
  if (isLarge && text.trim() === '') return { kind: 'refused', why: messages.tooMuch(html.length, PROPERTY_CAPACITY) };
  if (!own && !isLarge && (isWorthReading(html) || text === '')) {
    const read = html === '' ? undefined : readMarkup(html);
    if (read?.kind === 'lines' && read.text.length > TEXT_MOST)
      return { kind: 'refused', why: messages.tooMuch(read.text.length, PROPERTY_CAPACITY) };
    if (read && (text.trim() === '' || read.kind !== 'lines' || read.text !== '')) return read;
  }
  const read = readNotation(text, 'auto');
  const note = isLarge && isWorthReading(html) ? messages.looksTooMuch : undefined;
  if (read.kind !== 'lines') return read;
  if (read.text === '' || (read.prose?.length === 1 && !text.trim().includes('\n')))
    return note === undefined ? { kind: 'plain' } : { kind: 'plain', note };
  return note === undefined ? read : { ...read, lost: [{ what: note, line: 1, text: '' }, ...read.lost] };
}
