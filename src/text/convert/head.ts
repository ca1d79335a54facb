import { losses } from '../../domain/messages.ts';
import type { BuiltInSlug } from '../../domain/statuses.ts';
import { type DraftBuilder, type ItemBlock, item } from './blocks.ts';
import { trimBlanks } from './lines.ts';

/*
 * The marks that other notations put before an item's words: bullets, boxes, and the labels by which our own export
 * writes a status without a sign in the notation. Every reader of lines uses these functions, so that a box means the
 * same in each notation.
 */

/** Boxes as characters, and as the shortcodes that chats copy. */
const boxStatuses = new Map<string, BuiltInSlug>();
for (const glyph of ['☐', '□', '❏', '❑', '◻', '◽', '⬜', '🔲', '🔳', '▢']) boxStatuses.set(glyph, 'todo');
for (const glyph of ['☑', '☒', '✓', '✔', '✅', '🗹', '🗸', '■', '🗷']) boxStatuses.set(glyph, 'done');
/** Boxes and ticks of Word's symbol font, in which a box has no other character. */
for (const glyph of ['\uF06F', '\uF071', '\uF0A8']) boxStatuses.set(glyph, 'todo');
for (const glyph of ['\uF0FC', '\uF0FE', '\uF052']) boxStatuses.set(glyph, 'done');
for (const name of ['white_medium_square', 'white_large_square', 'white_square_button', 'black_square_button'])
  boxStatuses.set(`:${name}:`, 'todo');
for (const name of ['white_check_mark', 'heavy_check_mark', 'ballot_box_with_check'])
  boxStatuses.set(`:${name}:`, 'done');

/** Signs in square brackets. `-`: cancelled, `~`: not applicable, `/` and `@`: ongoing, `>`: moved on, `!`: important. */
const signs: Record<string, BuiltInSlug> = { '/': 'in_progress', '@': 'in_progress', '-': 'skipped', '~': 'skipped' };
for (const sign of 'xX✓✔✗✘хХ×') signs[sign] = 'done';
for (const sign of ['', ' ', '\u00A0', '\u2002', '\u2003', '\u3000', '_', '>', '<', '!', '?', '*', '"'])
  signs[sign] = 'todo';

/** A box before a text: its status, and the sign if it says more than that. */
export interface Box {
  status: BuiltInSlug;
  text: string;
  /** Whether the box marks the item as important. */
  mandatory: boolean;
  /** A sign whose meaning the checklist can't hold, as `>` for moved. */
  sign: string | undefined;
}

const OPEN_BRACKET = 91;
const COLON = 58;

const afterBox = (text: string, length: number) => trimBlanks(text.slice(length).replace(/^[\u00A0\u3000]+/, ''));

/** `[ ]`, `[x]`, another sign in brackets, a box or tick of a font or its shortcode, before a text. */
export function boxOf(text: string): Box | undefined {
  const first = text.charCodeAt(0);
  // The boxes of fonts have codes from general punctuation on.
  if (first !== OPEN_BRACKET && first !== COLON && !(first >= 0x2000)) return undefined;
  const bracket = /^\[([^\]\n\w]?|[xX_]|)\](?=[\s\u00A0]|$)/u.exec(text);
  if (bracket) {
    const sign = bracket[1] ?? '';
    const status = signs[sign];
    if (status === undefined) return undefined;
    return {
      status,
      text: afterBox(text, bracket[0].length),
      mandatory: sign === '!',
      sign: /[<>?*"]/.test(sign) ? bracket[0] : undefined,
    };
  }
  const glyph = /^(?:(\p{So}|✓|✔|[▢□■◻◽\uF06F\uF071\uF0A8\uF0FC\uF0FE\uF052])\uFE0F?|(:\w+:)(?=[\s\u00A0]|$))/u.exec(
    text,
  );
  const status = boxStatuses.get(glyph?.[1] ?? glyph?.[2] ?? '');
  if (!glyph || status === undefined) return undefined;
  return { status, text: afterBox(text, glyph[0].length), mandatory: false, sign: undefined };
}

/** A bullet or a number before a blank, or directly before a box. */
const spacedBullet =
  /^(?:[-*+–—•‣⁃◦·・▪▫●○◆➢►▶★☆o]|(?:\d{1,9}|#)[.)]|[\uF020-\uF0FF](?<![\uF06F\uF071\uF0A8\uF0FC\uF0FE\uF052]))(?=[ \t\u00A0\u3000]|$)|^§(?=[ \t\u00A0]+[^\d\s])|^\*{2,6}(?=[ \t\u00A0]+\[[ xX*]\][\s\u00A0])|^(?:[-*+]|\d{1,9}[.)])(?=\[[ xX\u00A0]\](?:[\s\u00A0]|$))/u;

/** Scripts without blanks have none behind a bullet or a number either. */
const unspacedBullet =
  /^(?:[・•●○◆◇]|\d{1,9}[.)]|[\d０-９]{1,9}[．、）])(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])/u;

/** A title between equals signs, as other wikis write it, and its level. */
export function framedTitle(text: string): { level: number; text: string } | undefined {
  const [, signs, title] = /^(={2,6})[ \t](.*\S)[ \t]\1$/.exec(text) ?? [];
  return signs === undefined || title === undefined ? undefined : { level: signs.length, text: title.trim() };
}

/** The bullet or the number at the start of ordinary text, and the text behind it. */
export function bulletOf(text: string): { bullet: string; text: string } | undefined {
  const bullet = (spacedBullet.exec(text) ?? unspacedBullet.exec(text))?.[0];
  if (bullet === undefined) return undefined;
  return { bullet, text: trimBlanks(text.slice(bullet.length).replace(/^[\u00A0\u3000]+/, '')) };
}

const label = /^\[(to do|done|in progress|skipped)\](?:[ \t\xa0]+|$)/i;
const flag = /^!(?:[ \t\xa0]+|$)/;

/** Whether `itemOf` would read the start of a text as a label or a flag. */
export const hasLabelOrFlag = (text: string): boolean => label.test(text) || flag.test(text);

const slugOfLabel: Record<string, BuiltInSlug> = { 'in progress': 'in_progress', skipped: 'skipped' };

/**
 * The item of a text that may begin with the name of a built-in status without a sign of its own, then with `!`. Before a
 * text that only looks like that, the name of the status that has a sign says so: `[Done] [Skipped] is a state`.
 */
export function itemOf(text: string, status: BuiltInSlug = 'todo'): ItemBlock {
  const named = label.exec(text);
  const textBehindLabel = text.slice(named?.[0].length ?? 0);
  const name = (named?.[1] ?? '').toLowerCase();
  if (name === (status === 'done' ? 'done' : 'to do') && hasLabelOrFlag(textBehindLabel))
    return item(textBehindLabel, status);
  const stated = slugOfLabel[name];
  const fits = stated !== undefined && status === (stated === 'skipped' ? 'done' : 'todo');
  const words = fits ? textBehindLabel : text;
  const mandatory = flag.exec(words);
  return item(words.slice(mandatory?.[0].length ?? 0), fits ? stated : status, mandatory !== null);
}

const keywords: Record<string, BuiltInSlug> = {
  TODO: 'todo',
  LATER: 'todo',
  STARTED: 'in_progress',
  DOING: 'in_progress',
  NOW: 'in_progress',
  DONE: 'done',
  CANCELLED: 'skipped',
  CANCELED: 'skipped',
};
/** Keywords without a built-in status. */
const otherKeywords = ['NEXT', 'WAITING', 'HOLD'];

/** All keywords for a pattern, and the keywords that may begin an item of a list. */
export const allKeywords: string = [...Object.keys(keywords), ...otherKeywords].join('|');
export const listKeywords: string = [...Object.keys(keywords), 'WAITING'].join('|');

const keywordStart = new RegExp(`^(${allKeywords})(?:[ \\t\\xa0]+|$)`);
const keyedItem = new RegExp(`^[ \\t\\xa0]*[-*] (?:${listKeywords}) `, 'gm');

/** A keyword of Org or Logseq before a text, and the built-in status that it means, if any. */
export function keywordOf(text: string): { word: string; status: BuiltInSlug | undefined; text: string } | undefined {
  const keywordMatch = keywordStart.exec(text);
  const word = keywordMatch?.[1];
  if (word === undefined) return undefined;
  return { word, status: keywords[word], text: text.slice(keywordMatch?.[0].length ?? 0) };
}

/**
 * An item with what its text says behind a box: a status as a label, `!`. A sign without a status is reported. `inline`
 * turns the words behind the box into our markup.
 */
export function boxedItem(
  text: string,
  line: number,
  draft: DraftBuilder,
  inline = (words: string) => words,
): ItemBlock | undefined {
  const box = boxOf(text);
  if (!box) return undefined;
  draft.lose(losses.status, line, box.sign ?? '');
  const parsedItem = itemOf(inline(box.text), box.status);
  return { ...parsedItem, mandatory: parsedItem.mandatory || box.mandatory };
}

/** Keywords count if several items of a list begin with one, and most of them do. */
export function hasKeywords(text: string): boolean {
  const items = text.match(/^[ \t\xa0]*[-*] \S/gm)?.length ?? 0;
  const keyed = text.match(keyedItem)?.length ?? 0;
  return keyed > 1 && 2 * keyed >= items;
}
