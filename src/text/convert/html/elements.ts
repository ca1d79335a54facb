import type { BuiltInSlug } from '../../../domain/statuses.ts';
import { dayOfTime } from '../table/cell-words.ts';
import type { Look } from './runs.ts';
import type { HtmlNode } from './tree.ts';

export type Attributes = ReadonlyMap<string, string>;

const blocks = new Set(
  (
    'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 ' +
    'h5 h6 header hr html legend li main nav ol optgroup option p pre section select summary table tbody td textarea tfoot th ' +
    'thead tr ul outline ac:plain-text-body ac:task ac:task-body ac:task-list'
  ).split(' '),
);

export const isBlock = (name: string): boolean => blocks.has(name);

const voids = new Set(
  'area base br col embed hr img input link meta param source track wbr ri:user ri:page ri:attachment ri:url ri:blog-post'.split(
    ' ',
  ),
);

/** Whether an element has no content. */
export const isVoid = (name: string): boolean => voids.has(name);

const account = /^[\w:-]{1,128}$/;

/**
 * The text for an element of Confluence: a person in our notation, a page by its title. Empty for any other element.
 */
export function confluenceText(name: string, attributes: Attributes): string {
  const id = attributes.get('ri:account-id') ?? '';
  if (name === 'ri:user') return account.test(id) ? `[~accountid:${id}]` : '';
  return attributes.get('ri:content-title') ?? attributes.get('ri:filename') ?? attributes.get('ri:value') ?? '';
}

/** Whether a part of Confluence's link is the words that it shows. */
export const isLinkBody = (node: HtmlNode): boolean =>
  typeof node !== 'string' && /^ac:(?:plain-text-)?link-body$/.test(node.name);

/** The macro of Confluence that an element begins, or a parameter of the macro `around` it, as `status title`. */
export function macroOf(name: string, attributes: Attributes, around: string): string {
  const stated = attributes.get('ac:name') ?? '';
  if (name === 'ac:parameter') return `${around} ${stated}`;
  return name === 'ac:structured-macro' || name === 'ac:macro' ? stated : around;
}

/** Whether a page shows what a parameter of a macro says: the name of a status, the key of an issue. */
export const isShownParameter = (macro: string): boolean => macro === 'status title' || macro === 'jira key';

/** The day or the person that an element shows in words of its own, in our notation: what pages and editors of the tracker have. */
export function referenceOf(name: string, attributes: Attributes): string | undefined {
  const day = name === 'time' ? (attributes.get('datetime') ?? '') : '';
  if (/^\d{4}-\d\d-\d\d$/.test(day)) return day;
  if (attributes.get('data-node-type') === 'date') return dayOfTime(attributes.get('data-timestamp') ?? '');
  const id = attributes.get('data-mention-id') ?? (name === 'a' ? attributes.get('data-account-id') : undefined);
  return id !== undefined && account.test(id) ? `[~accountid:${id}]` : undefined;
}

const styleOf = (attributes: Attributes) => (attributes.get('style') ?? '').toLowerCase();

const bolds = new Set(['b', 'strong']);
const italics = new Set(['i', 'em', 'cite', 'var']);
const strikes = new Set(['s', 'del', 'strike']);
const codes = new Set(['code', 'kbd', 'samp', 'tt']);

/** The mark of our notation for an element of emphasis or code. */
export function markOf(name: string): string | undefined {
  if (bolds.has(name)) return '**';
  if (italics.has(name)) return '*';
  if (strikes.has(name)) return '~~';
  return codes.has(name) ? '`' : undefined;
}

/**
 * The value of a property in a style. A longer property with the same ending does not count, since Word has such ones.
 */
function declared(style: string, property: string): string | undefined {
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':');
    if (declaration.slice(0, colon).trim() === property) return declaration.slice(colon + 1);
  }
  return undefined;
}

function decided(style: string, property: string, yes: RegExp, otherwise: boolean): boolean {
  const value = style.includes(property) ? declared(style, property) : undefined;
  return value === undefined ? otherwise : yes.test(value);
}

/** How an element's text looks, from how that around it does, its name and its style. */
export function lookOf(name: string, attributes: Attributes, around: Look): Look {
  const style = styleOf(attributes);
  return {
    bold: decided(style, 'font-weight', /bold|[6-9]00/, around.bold || bolds.has(name)),
    italic: decided(style, 'font-style', /italic|oblique/, around.italic || italics.has(name)),
    strike: around.strike || strikes.has(name) || /text-decoration(?:-line)?:[^;]*line-through/.test(style),
    code: around.code || codes.has(name),
    href: name === 'a' ? (attributes.get('href') ?? '').trim() : around.href,
  };
}

const replaced = new Set(
  'audio canvas iframe noscript object script style svg template title video ac:task-id ac:task-uuid'.split(' '),
);

/** Whether an element's text is invisible: hidden, a fallback, or the bullet that Word writes before an item. */
export function isUnseen(name: string, attributes: Attributes): boolean {
  const style = styleOf(attributes);
  return (
    attributes.has('hidden') || replaced.has(name) || /display:\s*none|mso-list:\s*ignore|mso-hide:\s*all/.test(style)
  );
}

/** Whether an element is an item of a list: of HTML's, OPML's, Word's or Confluence's. */
export function isItem(name: string, attributes: Attributes): boolean {
  if (name === 'li' || name === 'outline' || name === 'ac:task' || attributes.has('data-task-state')) return true;
  return name === 'p' && /mso-list:\s*l\d/.test(styleOf(attributes));
}

/** Whether an element is a list, of HTML's, OPML's or Confluence's. */
export const isList = (name: string, attributes: Attributes): boolean =>
  name === 'ul' ||
  name === 'ol' ||
  name === 'outline' ||
  name === 'ac:task-list' ||
  attributes.has('data-task-list-local-id');

/** The depth in a list of Word, which writes all items side by side; 1 for any other element. */
export const wordLevel = (attributes: Attributes): number =>
  Number(/mso-list:[^;]*level(\d)/.exec(styleOf(attributes))?.[1] ?? 1);

const classesOf = (attributes: Attributes) => (attributes.get('class') ?? '').split(/\s+/);

/** Signs that stand for a box on a page of Confluence. */
const emoticons = new Map<string, BuiltInSlug>([
  ['tick', 'done'],
  ['cross', 'todo'],
]);

/** The sign that an emoticon of Confluence shows. */
export function emojiOf(name: string, attributes: Attributes): string {
  if (name !== 'ac:emoticon') return '';
  const fallback = attributes.get('ac:emoji-fallback') ?? attributes.get('ac:emoji-shortname') ?? '';
  return fallback === '' ? `:${attributes.get('ac:name') ?? ''}:` : fallback;
}

/** Whether an item is one of a task list. */
export const isTask = (attributes: Attributes): boolean => classesOf(attributes).includes('task-list-item');

/** The status that an element states for its item: a box, a checked class, a task's state. */
export function statusOf(name: string, attributes: Attributes): BuiltInSlug | undefined {
  const classes = classesOf(attributes);
  const stated =
    attributes.get('aria-checked') ??
    attributes.get('data-checked') ??
    attributes.get('data-task-state')?.toLowerCase();
  if (name === 'input') {
    if ((attributes.get('type') ?? '').toLowerCase() !== 'checkbox') return undefined;
    return attributes.has('checked') || stated === 'true' ? 'done' : 'todo';
  }
  if (name === 'outline')
    return attributes.get('_complete') === 'true' || attributes.get('complete') === 'true' ? 'done' : undefined;
  if (name === 'en-todo') return attributes.get('checked') === 'true' ? 'done' : 'todo';
  if (name === 'ac:emoticon') return emoticons.get(attributes.get('ac:name') ?? '');
  if (name === 'img') {
    if (!/checkbox/.test(attributes.get('aria-roledescription') ?? '')) return undefined;
    return /^(?:un|not )/.test(attributes.get('alt') ?? '') ? 'todo' : 'done';
  }
  if (stated !== undefined) return stated === 'true' || stated === 'done' ? 'done' : 'todo';
  if (classes.includes('checkbox-on') || attributes.get('data-list') === 'checked') return 'done';
  if (classes.includes('checkbox-off')) return 'todo';
  return name === 'li' && classes.includes('checked') ? 'done' : undefined;
}

/** Attributes of an outline that its item says in other ways. */
const outlineStates = new Set(['text', '_note', '_complete', 'complete', 'checkbox']);

/** The parts of an OPML element: its text, its note, its address, and its other attributes. */
export function outlineOf(attributes: Attributes): { text: string; note: string; href: string; others: string } {
  const href = (attributes.get('htmlurl') || attributes.get('url') || '').trim();
  const text = attributes.get('text') || attributes.get('title') || href;
  const otherAttributes = [...attributes].filter(
    ([name, value]) => !outlineStates.has(name) && value !== '' && value !== text && value.trim() !== href,
  );
  return {
    text,
    note: attributes.get('_note') ?? '',
    href,
    others: otherAttributes.map(([name, value]) => `${name}: ${value}`).join(', '),
  };
}
