import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { losses, paste as messages } from '../../domain/messages.ts';
import { alternativesTo, convert, converting, type Loss, lossLines, type Notation, titleOf } from '../convert.ts';
import { cleanText } from '../document.ts';
import { finish, type Sliced } from '../sliced.ts';
import { inSlices } from './in-slices.ts';
import { setToday } from './table/day-of-cell.ts';
import { isChecklistText } from './text.ts';

// A pasted or dropped table gets the days of that moment.
setToday(() => {
  const date = new Date();
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
});

/** The content of a clipboard or a drop. `html` or `text` is empty if there is no content of that kind. */
export interface Clip {
  html: string;
  text: string;
  /** Characters that were removed from the text before it was read, since no text may contain them. */
  cleaned?: readonly Loss[];
}

/** The mark of the app's own copies; text after it is ignored. */
export const OWN_MARK = 'data-checklist-text';

/** Characters of plain text beyond which nothing is pasted: several times what any checklist holds. */
export const MAX_TEXT_CHARS = 4 * PROPERTY_CAPACITY;
/** Characters of markup that are read; a browser parses as many within 50 ms. Above, only the plain text is. */
export const MAX_MARKUP_CHARS = 500_000;

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
      /** The lines without marks, if the source had no marks of its own. */
      prose: readonly string[] | undefined;
      lost: readonly Loss[];
      /** Whether they are something else than the plain text. */
      converted: boolean;
      /** Missing for markup, and for what can be nothing but ordinary text. */
      readAs?: { notation: Notation; alternatives: readonly Notation[] };
    };

const blockMarkup =
  /<(?:li|h[1-6]|tr|dt|ac:task|input\s[^<>]*checkbox)\b|mso-list:|role=["']?checkbox|data-task-state|<blockquote\b/i;
const inlineMarkup =
  /<a\s[^<>]{0,200}href\s*=\s*["']?(?:https?|mailto):|<(?:b|strong|i|em|s|del|strike|code)\b|font-weight:\s*(?:bold|[6-9]00)|line-through/i;
/** Code copied from an editor, without useful markup. */
const codeMarkup = /<pre\b|font-family:[^;>]{0,200}(?:mono|consolas|menlo|courier)/i;

/** Whether markup says more than the plain text beside it. */
const isWorthReading = (html: string): boolean =>
  html.includes('>') && (blockMarkup.test(html) || (inlineMarkup.test(html) && !codeMarkup.test(html)));

const ownMark = new RegExp(`<\\w+ ${OWN_MARK}\\b`);

/** Whether a clip was copied here. */
export const isOwnCopy = ({ html }: Clip): boolean => ownMark.test(html);

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');

/** Lines as checklist text, if each is an item by nothing but standing on a line of its own. */
const asItems = (lines: readonly string[]): string => lines.map(line => `- ${line}`).join('\n');

/** The refusal message for a text that is too long to be pasted; undefined for any other text. */
export const refusalOf = (text: string): string | undefined =>
  text.length > MAX_TEXT_CHARS ? messages.tooMuch(text.length, PROPERTY_CAPACITY) : undefined;

/** Reads a text in some notation; `auto` detects it. */
export function* readingNotation(text: string, notation: Notation | 'auto'): Sliced<Reading> {
  const clean = cleanText(text).text;
  const why = refusalOf(clean);
  if (why !== undefined) return { kind: 'refused', why };
  const converted = yield* converting(text, notation);
  const lines = linesOf(clean);
  const plain = converted.text === asItems(lines);
  const { lost, notation: own } = converted;
  const alternatives = alternativesTo(clean, own);
  return {
    kind: 'lines',
    text: converted.text,
    prose: plain ? lines : undefined,
    lost,
    converted: converted.text !== clean.trimEnd(),
    ...((own !== 'text' || alternatives.length > 0) && { readAs: { notation: own, alternatives } }),
  };
}

/** Markup as checklist text: words for a piece of a line, nothing for markup that shows no text. */
function* readingMarkup(html: string): Sliced<Reading | undefined> {
  const converted = yield* converting(html, 'html');
  const { text } = converted;
  // A page that was copied did not show its comments.
  const lost = converted.lost.filter(({ what }) => what !== losses.comment);
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
 * Reads a clip. The app's own copies and single lines stay as they are. Markup is read if it says more than the text
 * beside it, otherwise the text in its detected notation.
 */
export function* readingClip(clip: Clip): Sliced<Reading> {
  const reading = yield* readingCleanClip(clip);
  const { cleaned = [] } = clip;
  if (reading.kind === 'refused' || cleaned.length === 0) return reading;
  if (reading.kind === 'plain')
    return { ...reading, note: [...lossLines(cleaned), reading.note ?? ''].join(' ').trim() };
  return { ...reading, lost: [...cleaned, ...reading.lost] };
}

function* readingCleanClip(clip: Clip): Sliced<Reading> {
  const { html, text } = clip;
  const isOwnClip = isOwnCopy(clip);
  const why = refusalOf(text);
  if (why !== undefined) return { kind: 'refused', why };
  if (isOwnClip && (!text.includes('\n') || !isChecklistText(text))) return { kind: 'plain' };
  const isLarge = html.length > MAX_MARKUP_CHARS;
  if (isLarge && text.trim() === '') return { kind: 'refused', why: messages.tooMuch(html.length, PROPERTY_CAPACITY) };
  if (!isOwnClip && !isLarge && (isWorthReading(html) || text === '')) {
    const markupReading = html === '' ? undefined : yield* readingMarkup(html);
    const refusal = markupReading?.kind === 'lines' ? refusalOf(markupReading.text) : undefined;
    if (refusal !== undefined) return { kind: 'refused', why: refusal };
    if (markupReading && (text.trim() === '' || markupReading.kind !== 'lines' || markupReading.text !== ''))
      return markupReading;
  }
  const textReading = yield* readingNotation(text, 'auto');
  const note = isLarge && isWorthReading(html) ? messages.looksTooMuch : undefined;
  if (textReading.kind !== 'lines') return textReading;
  if (textReading.text === '' || (textReading.prose?.length === 1 && !text.trim().includes('\n')))
    return note === undefined ? { kind: 'plain' } : { kind: 'plain', note };
  return note === undefined
    ? textReading
    : { ...textReading, lost: [{ what: note, line: 1, text: '' }, ...textReading.lost] };
}

/** `readingClip` without a break: for a small clip. */
export const readClip = (clip: Clip): Reading => finish(readingClip(clip));

/** `readingClip` in slices, between which the page paints and takes input. */
export const readClipInSlices = (clip: Clip): Promise<Reading> => inSlices(readingClip(clip));

/** Characters that are read within an event: parsing them takes some milliseconds. Markup has more around its words. */
const MAX_SMALL_CHARS = 4000;

/** Whether a clip is small enough to be read within an event. */
export const isSmall = ({ html, text }: Clip): boolean =>
  text.length <= MAX_SMALL_CHARS && html.length <= 5 * MAX_SMALL_CHARS;

/** A paste as checklist text, and what to say about it. */
export interface PastedItems {
  text: string;
  /** The notation that the clip was read as, and its losses; '' for text that stays as it is. */
  report: string;
  /** The reason why no item of the clip can be added. */
  refusal?: string;
  /** Other notations that it could be in. */
  readAs?: { label: string; choices: readonly ReadAs[] };
}

/** Another notation, and what reads the paste in it. */
export interface ReadAs {
  title: string;
  read: () => Promise<PastedItems>;
}

/** The items that a reading of a clip adds to a list. */
function itemsOf(clip: Clip, reading: Reading): PastedItems {
  if (reading.kind === 'refused') return { text: '', report: '', refusal: reading.why };
  if (reading.kind === 'plain') return { text: clip.text, report: reading.note ?? '' };
  const lostLines = lossLines(reading.lost);
  if (reading.kind === 'words') return { text: `- ${reading.words}`, report: lostLines.join(' ') };
  if (reading.text === '') return { text: '', report: '', refusal: [messages.nothing, ...lostLines].join(' ') };
  const { text, converted, readAs } = reading;
  if (!readAs || !converted) return { text, report: lostLines.join(' ') };
  const report = [messages.pastedAs(titleOf(readAs.notation)), ...lostLines].join(' ');
  const choices = readAs.alternatives.map(other => ({
    title: titleOf(other),
    read: async () => itemsOf(clip, await inSlices(readingNotation(clip.text, other))),
  }));
  return { text, report, readAs: { label: messages.readAs, choices } };
}

/** The items that a paste adds to a field for new items. */
export const pastedItems = async (clip: Clip): Promise<PastedItems> => itemsOf(clip, await readClipInSlices(clip));
