import { losses } from '../../../domain/messages.ts';
import type { DraftBuilder } from '../blocks.ts';
import { codeOf, isLinked, linkOf } from '../spans.ts';

/** How a piece of a line looks. */
export interface Look {
  bold: boolean;
  italic: boolean;
  strike: boolean;
  code: boolean;
  href: string;
}

export interface Run extends Look {
  text: string;
}

export const plainLook: Look = { bold: false, italic: false, strike: false, code: false, href: '' };

const sameLook = (a: Look, b: Look) =>
  a.bold === b.bold && a.italic === b.italic && a.strike === b.strike && a.code === b.code && a.href === b.href;

/** White space as one blank, no-break ones too; without what has no width. */
const spaced = (text: string) => text.replace(/[\u200B\u2060\uFEFF\u00AD]/g, '').replace(/[\s\0]+/g, ' ');

/** Adds text to a line; a blank at its start or behind another goes. */
export function addText(runs: Run[], text: string, look: Look): void {
  const last = runs.at(-1);
  let added = spaced(text);
  if (!last || last.text.endsWith(' ')) added = added.replace(/^ /, '');
  if (added === '') return;
  if (last && sameLook(last, look)) last.text += added;
  else runs.push({ ...look, text: added });
}

/** A run in our markup. Blanks at its ends stay outside, for emphasis begins and ends at a word. */
function marked({ text, bold, italic, strike, code }: Run): string {
  const words = text.trim();
  if (words === '') return text;
  let result = code ? codeOf(words) : words;
  if (italic) result = `*${result}*`;
  if (bold) result = `**${result}**`;
  if (strike) result = `~~${result}~~`;
  return (text.startsWith(' ') ? ' ' : '') + result + (text.endsWith(' ') ? ' ' : '');
}

/** A status in brackets and the mark of importance, which exports put before an item's words. */
const label = /^ ?(?:\[[^\][]{1,50}\] ?)?(?:! ?)?$/;

/** A line in our markup; `without` names what the whole line says already, as bold in a header. */
export function lineOf(runs: readonly Run[], line: number, draft: DraftBuilder, without?: 'bold' | 'strike'): string {
  const filled = runs.filter(run => run.text.trim() !== '');
  const isSaid = (run: Run, index: number) =>
    without !== undefined && (run[without] || (index === 0 && filled.length > 1 && label.test(run.text)));
  const drop = without && filled.every(isSaid) ? { [without]: false } : {};
  const parts: string[] = [];
  for (let i = 0; i < runs.length; ) {
    const href = runs[i]?.href ?? '';
    let end = i;
    let text = '';
    for (let run = runs[end]; run && run.href === href; run = runs[++end]) text += marked({ ...run, ...drop });
    i = end;
    if (href === '' || text.trim() === '') parts.push(text);
    else {
      if (!isLinked(href)) draft.lose(losses.address, line, href);
      parts.push((text.startsWith(' ') ? ' ' : '') + linkOf(text, href) + (text.endsWith(' ') ? ' ' : ''));
    }
  }
  return parts.join('').trim();
}
