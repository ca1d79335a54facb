import { cleanText, replaceText } from '../document.ts';
import { rangeOf, sourceOf } from '../rows.ts';
import type { Checklist, Detail, Target, TextChange } from '../types.ts';
import { partsOf } from './parts.ts';

const trimmed = (line: string) => line.replace(/^[ \t\xa0]+|[ \t\xa0]+$/g, '');

/** The lines of typed details. Blank lines around the text do not count; blank lines inside it are empty details. */
function linesOf(text: string): string[] {
  const lines = cleanText(text).text.split('\n').map(trimmed);
  const first = lines.findIndex(line => line !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(line => line !== '') + 1);
}

/** Offsets at which the lines of a row end, before their breaks. */
function lineEnds(source: string): number[] {
  const ends = [...source.matchAll(/\r\n|\n|\r/g)].map(({ index }) => index);
  return /[\n\r]$/.test(source) ? ends : [...ends, source.length];
}

/** The change from one detail line's text to another's. An empty one gets the usual blank. */
function rewrite(source: string, { from, to, text }: Detail, line: string): TextChange[] {
  return replaceText(text, text === '' && source[to - 1] === '>' ? ` ${line}` : line, from);
}

/**
 * Gives a row, item or header, these lines as details, without their `>`; a text without any takes them away. Lines that
 * stay are left as they are written.
 */
export function setDetails(checklist: Checklist, target: Target, text: string): TextChange[] {
  const { row, index } = partsOf(checklist, target);
  const source = sourceOf(checklist, index);
  const lines = linesOf(text);
  const old = row.details;
  const most = Math.min(old.length, lines.length);
  let above = 0;
  while (above < most && old[above]?.text === lines[above]) above++;
  let below = 0;
  while (below < most - above && old.at(-1 - below)?.text === lines.at(-1 - below)) below++;

  const sharedEnd = Math.min(old.length, lines.length) - below;
  const changes = old.slice(above, sharedEnd).flatMap((detail, i) => rewrite(source, detail, lines[above + i] ?? ''));
  const ends = lineEnds(source);
  // Line 0 is the row's own. Whole lines come and go with the break before them, which even the text's last line has.
  const place = ends[sharedEnd] ?? source.length;
  const gone = ends[old.length - below] ?? source.length;
  const added = lines.slice(sharedEnd, lines.length - below).map(line => (line === '' ? '\n>' : `\n> ${line}`));
  if (gone > place) changes.push({ from: place, to: gone });
  else if (added.length > 0) changes.push({ from: place, insert: added.join('') });
  const { from } = rangeOf(checklist, index);
  return changes.map(change => ({ ...change, from: from + change.from, to: from + (change.to ?? change.from) }));
}
