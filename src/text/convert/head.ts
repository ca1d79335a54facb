import type { BuiltInSlug } from '../../domain/statuses.ts';
import { type ItemBlock, item } from './blocks.ts';
import { trimBlanks } from './lines.ts';

/*
 * What may stand before an item's words in other notations: bullets, boxes, and what our own export writes for a status
 * that the notation has no sign for.
 */

const glyphs: Record<string, BuiltInSlug> = { '☐': 'todo', '□': 'todo', '❏': 'todo', '◻': 'todo', '⬜': 'todo' };
for (const glyph of ['☑', '☒', '✓', '✔', '✅', '🗹', '🗸']) glyphs[glyph] = 'done';

/** `[ ]`, `[x]`, `[~]` (not applicable, in GitLab) or a box or tick of a font, before a text. */
export function boxOf(text: string): { status: BuiltInSlug; text: string } | undefined {
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

/** The item of a text that may begin with the name of a built-in status without a sign of its own, and with `!`. */
export function itemOf(text: string, status: BuiltInSlug = 'todo'): ItemBlock {
  let rest = text;
  let mandatory = false;
  let stated = status;
  for (let i = 0; i < 2; i++) {
    const flag = mandatory ? null : /^!(?:[ \t]+|$)/.exec(rest);
    const label = stated === status ? /^\[(?:In Progress|Skipped)\](?:[ \t]+|$)/i.exec(rest) : null;
    const slug = label?.[0].toLowerCase().startsWith('[i') ? 'in_progress' : 'skipped';
    if (flag) mandatory = true;
    else if (label && status === (slug === 'skipped' ? 'done' : 'todo')) stated = slug;
    else break;
    rest = rest.slice((flag ?? label)?.[0].length);
  }
  return item(rest, stated, mandatory);
}
