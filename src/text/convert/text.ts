import type { BuiltInSlug } from '../../domain/statuses.ts';
import type { Sliced } from '../sliced.ts';
import { type Draft, DraftBuilder, detail, header, item } from './blocks.ts';
import { boxedItem, boxOf, bulletOf, framedTitle, hasKeywords, itemOf } from './head.ts';
import { isRule, type Line, linesOf, SLICE_LINES } from './lines.ts';

const ownMark = /^(?:#{1,6}|[-+~x])(?=[ \t\xa0]|$)/;
const ownStatus: Record<string, BuiltInSlug> = { '-': 'todo', '+': 'done', '~': 'in_progress', x: 'skipped' };

/** Signs that an item may hold as text but that most likely belong to another notation. */
const foreign =
  /^(?:\[-\]|\[[x ]?\]\?|\([/x]\))(?=[ \t\xa0]|$)|[ \t\xa0]@(?:done|due|cancell?ed|flag)(?![\w.-])|\[[^\][|]+\|(?:https?:|mailto:)/i;

/**
 * Black squares as the ticked boxes that they are beside white ones. Alone they are bullets, which `•` says in any
 * notation.
 */
export const withBulletSquares = (text: string): string =>
  !text.includes('■') || /[□☐]/.test(text) ? text : text.replace(/(^[ \t\xa0]*|>)■(?=[ \t\xa0\u3000])/gm, '$1•');

/** Whether every line bears a mark of the checklist language and none a sign of another notation. */
export function isChecklistText(text: string): boolean {
  if (hasKeywords(text)) return false;
  let rowAbove = false;
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf('\n', from);
    const line = text.slice(from, next < 0 ? text.length : next);
    from += line.length + 1;
    if (line.trim() === '') rowAbove = false;
    else if (line.startsWith('>')) {
      if (!rowAbove || line.startsWith('>>')) return false;
    } else {
      const mark = ownMark.exec(line)?.[0];
      if (mark === undefined) return false;
      rowAbove = true;
      const content = line.slice(mark.length).trimStart();
      if (foreign.test(content) || (boxOf(content) && !mark.startsWith('#'))) return false;
    }
  }
  return true;
}

/** Which underline makes a header of which level; what export to plain text writes. */
export const underlines = ['=', '-', '~', '^', '"', "'"] as const;

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\uFF01-\uFF60\u3000-\u303F]/u;

/** The level of a line above an underline. Between other lines the two are of one length: else the rule parts texts. */
function underlinedLevel(above: Line | undefined, line: Line, below: Line | undefined): number {
  const sign = underlines.findIndex(char => below?.text.startsWith(char));
  if (!below || sign < 0 || below.indent > 0 || line.indent > 0 || below.text.length < 3 || !isRule(below.text))
    return 0;
  const plain = !bulletOf(line.text) && !boxOf(line.text) && !ownMark.test(line.text) && !isRule(line.text);
  const signs = [...line.text.normalize('NFC')];
  // Characters of East Asia are twice as wide as the rule's.
  const width = signs.length + signs.filter(char => wide.test(char)).length;
  const isFitting = [signs.length, width].some(length => Math.abs(below.text.length - Math.max(3, length)) <= 1);
  const isApart = above === undefined || above.text === '' || isFitting;
  return (plain && isApart) || below.text.length === Math.max(3, [...line.text].length) ? sign + 1 : 0;
}

/** The line that a mail program writes above the quoted mail in a reply. */
const replyHead = /\b(?:wrote|schrieb(?: [^:\n]*)?|a écrit|escribió|escreveu|ha scritto)[ \t\xa0]?:$/;

/** A mail that another one answers has `>` before every line, below a line that says whose it is. */
function withoutReplyMarks(text: string): string {
  if (!text.includes('\n>')) return text;
  let isReply = false;
  return text
    .split('\n')
    .map(line => {
      if (!line.startsWith('>')) isReply = replyHead.test(line) || (isReply && line.trim() === '');
      return isReply ? line.replace(/^(?:> ?)+/, '') : line;
    })
    .join('\n');
}

/** A quoted mail has `>` before every line: there it says nothing. */
function unquoted(text: string): string {
  const lines = text.split('\n');
  if (!lines.every(line => line === '' || line.startsWith('>'))) return text;
  return lines.map(line => line.replace(/^> ?/, '')).join('\n');
}

/**
 * Ordinary text: a line is an item, with or without a bullet, a number or a box. Our own marks count. Indented lines
 * without any below a line with one are its details. Underlined lines are headers.
 */
export function* readingText(text: string): Sliced<Draft> {
  const draft = new DraftBuilder();
  const lines = linesOf(unquoted(withoutReplyMarks(text)));
  // Alone, `x` before a blank is a word as well as our mark.
  const hasOwnMarks = lines.some(line => /^[-+~][ \t\xa0]/.test(line.text));
  let itemIndent = -1;

  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (i % SLICE_LINES === SLICE_LINES - 1) yield;
    if (!line || line.text === '') continue;
    const level = underlinedLevel(lines[i - 1], line, lines[i + 1]);
    if (level === 0 && isRule(line.text)) continue;
    const framed = level === 0 ? framedTitle(line.text) : undefined;
    if (framed) {
      draft.add(header(framed.text, framed.level));
      itemIndent = -1;
      continue;
    }
    const mark = ownMark.exec(line.text)?.[0] ?? '';
    const textBehindMark = line.text.slice(mark.length).trimStart();
    if (level > 0 || mark.startsWith('#')) {
      draft.add(level > 0 ? header(line.text, level) : header(textBehindMark, mark.length));
      itemIndent = -1;
      if (level > 0) i++;
      continue;
    }
    if (line.text.startsWith('>')) {
      draft.add(detail(line.text.replace(/^>+/, '')));
      continue;
    }
    const bullet = bulletOf(line.text);
    const status = mark === 'x' && !hasOwnMarks ? undefined : ownStatus[mark];
    const content = status ? textBehindMark : (bullet?.text ?? line.text);
    const box = boxOf(content);
    if (!status && !bullet && !box && itemIndent >= 0 && line.indent > itemIndent) {
      draft.add(detail(line.text));
      continue;
    }
    if (itemIndent >= 0 && line.indent > itemIndent) draft.nest(line.number, line.text);
    draft.add(boxedItem(content, line.number, draft) ?? (status || bullet ? itemOf(content, status) : item(content)));
    if (itemIndent < 0 || line.indent < itemIndent || status || bullet || box) itemIndent = line.indent;
  }
  return draft;
}
