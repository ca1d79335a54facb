import { boxOf, looksStated } from '../convert/head.ts';
import { inlineOf, inlineOfDetails, type Segment } from '../inline.ts';
import type { Checklist, Row } from '../types.ts';
import { labelsOf } from './head.ts';

/** Characters that wiki markup would read: effects at a word's edge only, icons and smileys as a whole. */
const special =
  /[\\*{}[\]|!]|(?<![\p{L}\p{N}])-(?=\S)|(?<![\p{L}\p{N}])[+^~](?=\S)|(?<=\S)[+^~](?![\p{L}\p{N}])|\?\?|\((?=(?:[/xynij!?+*-]|on|off|\*[rgby]|flag|flagoff)\))|[:;](?=-?[)(DPp](?![\p{L}\p{N}]))|&(?=#?[A-Za-z0-9]{1,31};)/gu;

const escaped = (text: string) =>
  text.replace(special, sign =>
    // Two backslashes are a line break there.
    sign === '\\' || sign === '&' ? `&#${sign.charCodeAt(0)};` : `\\${sign}`,
  );

function markup(segment: Segment): string {
  switch (segment.type) {
    case 'bold':
      return `*${joined(segment.children)}*`;
    case 'italic':
      return `_${joined(segment.children)}_`;
    case 'strike':
      return `-${joined(segment.children)}-`;
    case 'code':
      return /[{}]/.test(segment.text) ? escaped(segment.text) : `{{${segment.text}}}`;
    case 'link':
      return `[${segment.text.replace(/[|\][]/g, ' ')}|${segment.href}]`;
    case 'text':
    case 'gate':
    case 'customers':
      return escaped(segment.text);
  }
  return segment.text;
}

const joined = (segments: readonly Segment[]): string => segments.map(markup).join('');

function linesOf(row: Row, inline: string, details: readonly string[]): string[] {
  const quotes = details.map(text => `bq. ${text}`.trimEnd());
  if (row.kind === 'header') return [`h${row.level}. ${inline}`.trimEnd(), ...quotes];
  const labels = labelsOf(row).map(label => label.replace(/[[\]]/g, '\\$&'));
  // An open item has a sign only if its own words look like a box.
  const isBoxed = labels.length === 0 && boxOf(row.text) !== undefined;
  const sign = row.status.checked ? ['(/)'] : isBoxed ? ['(x)'] : [];
  const words = labels.length + sign.length === 0 && /^\((?:\/|x)\)/.test(inline) ? `\\${inline}` : inline;
  // Labels are written with two backslashes.
  const text = labels.length === 0 && looksStated(row.text) && words.startsWith('\\[') ? words.slice(1) : words;
  return [['*', ...sign, ...labels, text].filter(part => part !== '').join(' '), ...quotes];
}

/** The tracker's wiki markup: `(/)` before what is complete, a status without a sign in brackets, details as `bq.`. */
export function exportWiki(checklist: Checklist): string {
  const lines = checklist.rows.flatMap((row, i) => [
    ...(row.kind === 'header' && i > 0 ? [''] : []),
    ...linesOf(row, joined(inlineOf(checklist, i)), inlineOfDetails(checklist, i).map(joined)),
  ]);
  return lines.join('\n');
}
