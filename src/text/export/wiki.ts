import { boxOf, hasLabelOrFlag } from '../convert/head.ts';
import { wikiAddress } from '../convert/wiki/signs.ts';
import { inlineOf, inlineOfDetails, type Segment } from '../inline.ts';
import type { Checklist, Row } from '../types.ts';
import { labelsOf } from './head.ts';

/**
 * Characters that wiki markup would read: effects at a word's edge only, icons and smileys as a whole. The end of a piece
 * may touch more than a blank.
 */
const special =
  /[\\*{}[\]|!]|(?<![\p{L}\p{N}])-(?!\s)|(?<![\p{L}\p{N}])[+^~_](?!\s)|(?<!\s)[+^~_](?![\p{L}\p{N}])|\?\?|\((?=(?:[/xynij!?+*-]|on|off|\*[rgby]|flag|flagoff)\))|[:;](?=-?[)(DPp](?![\p{L}\p{N}]))|&(?=#?[A-Za-z0-9]{1,31}(?:;|$))/gu;

const entityOf = (sign: string) => `&#${sign.charCodeAt(0)};`;

const escaped = (text: string) =>
  // Two backslashes are a line break there.
  text.replace(special, sign => (sign === '\\' || sign === '&' ? entityOf(sign) : `\\${sign}`));

/** An effect's sign stands alone at the edges of words; elsewhere it needs braces. */
const isEdge = (before: string, after: string) => /^$|\s$/.test(before) && /^(?:$|[\s.,;?)])/.test(after);

const effects = { bold: '*', italic: '_', strike: '-' } as const;

function effect(
  { type, text, children, isUnderscored }: Segment & { type: keyof typeof effects },
  isAtEdges: boolean,
): string {
  const sign = effects[type];
  // An address goes on up to a brace. Our two signs of italic differ by braces.
  const ends = type === 'strike' ? /-|:\/\// : /:\/\//;
  const isSimple = isAtEdges && !ends.test(text) && text.trim() === text && children[0]?.type !== 'italic';
  const isPlain = type === 'italic' ? isUnderscored === true : isSimple;
  const mark = isPlain ? sign : `{${sign}}`;
  return mark + joined(children, sign) + mark;
}

/** An address up to a `!`, with which a picture begins or ends; the only one behind `#` begins a path. */
const upToPicture = /^(?:[^!]*#![^!]*$|[^!]*)/;

/** An address as it stands, up to a sign that ends it there. */
function address(text: string): string {
  const plain = wikiAddress.exec(upToPicture.exec(text)?.[0] ?? text)?.[0] ?? '';
  return plain + escaped(text.slice(plain.length));
}

/** In a link's label brackets and bars end it, escaped or not. */
const label = (segments: readonly Segment[]) =>
  joined(segments).replace(/\\([[\]|])/g, (_, sign: string) => entityOf(sign));

function markup(segment: Segment, before: string, after: string): string {
  switch (segment.type) {
    case 'bold':
    case 'italic':
    case 'strike':
      return effect(segment, isEdge(before, after));
    case 'code':
      return `{{${escaped(segment.text)}}}`;
    case 'link':
      return `[${label(segment.children)}|${segment.href}]`;
    case 'url':
    case 'issueUrl':
      return address(segment.text);
    case 'mention':
      return segment.text;
  }
  return escaped(segment.text);
}

/** Pieces between two signs, or of a whole line. */
const joined = (segments: readonly Segment[], around = ''): string =>
  segments.map((one, i) => markup(one, segments[i - 1]?.text ?? around, segments[i + 1]?.text ?? around)).join('');

function linesOf(row: Row, inline: string, details: readonly string[]): string[] {
  const quotes = details.map(text => `bq. ${text}`.trimEnd());
  if (row.kind === 'header') return [`h${row.level}. ${inline}`.trimEnd(), ...quotes];
  const stated = labelsOf(row);
  // Words that look like a status have that of their item before them.
  const labels = (stated.length === 0 && hasLabelOrFlag(row.text) ? [`[${row.status.name}]`] : stated).map(part =>
    part === '!' ? part : escaped(part),
  );
  // An open item has a sign only if its own words look like a box.
  const isBoxed = labels.length === 0 && boxOf(row.text) !== undefined;
  const sign = row.status.checked ? ['(/)'] : isBoxed ? ['(x)'] : [];
  return [['*', ...sign, ...labels, inline].filter(part => part !== '').join(' '), ...quotes];
}

/** The tracker's wiki markup: `(/)` before done items, a status without a sign in brackets, details as `bq.`. */
export function exportWiki(checklist: Checklist): string {
  const lines = checklist.rows.flatMap((row, i) => [
    ...(row.kind === 'header' && i > 0 ? [''] : []),
    ...linesOf(
      row,
      joined(inlineOf(checklist, i)),
      inlineOfDetails(checklist, i).map(detail => joined(detail)),
    ),
  ]);
  return lines.join('\n');
}
