import type { BuiltInSlug } from '../../domain/statuses.ts';
import { type ItemBlock, item } from './blocks.ts';
import { trimBlanks } from './lines.ts';

/*
 * What may stand before an item's words in other notations: bullets, boxes, and what our own export writes for a status
 * that the notation has no sign for.
 */

const glyphs: Record<string, BuiltInSlug> = { '☐': 'todo', '□': 'todo', '❏': 'todo', '◻': 'todo', '⬜': 'todo' };
for (const glyph of ['☑', '☒', '✓', '✔', '✅', '🗹', '🗸']) glyphs[glyph] = 'done';

const OPEN_BRACKET = 91;

/** `[ ]`, `[x]`, `[~]` (not applicable, in GitLab) or a box or tick of a font, before a text. */
export function boxOf(text: string): { status: BuiltInSlug; text: string } | undefined {
  const first = text.charCodeAt(0);
  // Of the boxes of fonts all come after general punctuation.
  if (first !== OPEN_BRACKET && !(first >= 0x2000)) return undefined;
  const box = /^\[([ xX✓✔~]?)\](?=[ \t]|$)/u.exec(text);
  if (box) {
    const sign = box[1] ?? '';
    const status = sign === '~' ? 'skipped' : sign.trim() === '' ? 'todo' : 'done';
    return { status, text: trimBlanks(text.slice(box[0].length)) };
  }
  const glyph = /^(\p{So}|✓|✔)\uFE0F?/u.exec(text);
  const status = glyphs[glyph?.[1] ?? ''];
  return glyph && status ? { status, text: trimBlanks(text.slice(glyph[0].length)) } : undefined;
}

/** A bullet of ordinary text, or a number, and what it is before. */
export function bulletOf(text: string): { bullet: string; text: string } | undefined {
  const found = /^(?:[-*+–—•‣⁃◦·▪▫■●○◆➢►▶o]|\d{1,9}[.)])(?=[ \t\u00A0]|$)/u.exec(text);
  if (!found) return undefined;
  return { bullet: found[0], text: trimBlanks(text.slice(found[0].length).replace(/^\u00A0+/, '')) };
}

const label = /^\[(to do|done|in progress|skipped)\](?:[ \t]+|$)/i;
const flag = /^!(?:[ \t]+|$)/;

/** Whether a text begins like what `itemOf` takes for more than text. */
export const looksStated = (text: string): boolean => label.test(text) || flag.test(text);

const slugOfLabel: Record<string, BuiltInSlug> = { 'in progress': 'in_progress', skipped: 'skipped' };

/**
 * The item of a text that may begin with the name of a built-in status without a sign of its own, then with `!`. Before a
 * text that only looks like that, the name of the status that has a sign says so: `[Done] [Skipped] is a state`.
 */
export function itemOf(text: string, status: BuiltInSlug = 'todo'): ItemBlock {
  const named = label.exec(text);
  const rest = text.slice(named?.[0].length ?? 0);
  const name = (named?.[1] ?? '').toLowerCase();
  if (name === (status === 'done' ? 'done' : 'to do') && looksStated(rest)) return item(rest, status);
  const stated = slugOfLabel[name];
  const fits = stated !== undefined && status === (stated === 'skipped' ? 'done' : 'todo');
  const words = fits ? rest : text;
  const mandatory = flag.exec(words);
  return item(words.slice(mandatory?.[0].length ?? 0), fits ? stated : status, mandatory !== null);
}
