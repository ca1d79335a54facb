import { type Fields, fieldsOf, isFields } from './fields.ts';

/*
 * Documents of Atlassian's editors (ADF) as the markup that the reader of pages understands: it knows tasks, people, days,
 * tables and looks.
 */

/** Whether a value is such a document. */
export const isDocument = (value: unknown): value is Fields =>
  isFields(value) && value.type === 'doc' && Array.isArray(value.content);

const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

const escapeValue = (value: unknown) =>
  escaped(typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const tags: Readonly<Record<string, string>> = {
  paragraph: 'p',
  bulletList: 'ul',
  orderedList: 'ol',
  listItem: 'li',
  decisionList: 'ul',
  decisionItem: 'li',
  blockquote: 'blockquote',
  codeBlock: 'pre',
  panel: 'div',
  table: 'table',
  tableRow: 'tr',
  tableHeader: 'th',
  tableCell: 'td',
  strong: 'b',
  em: 'i',
  strike: 's',
  code: 'code',
};

/** Text in the elements of its looks. */
function textOf(node: Fields): string {
  let text = escapeValue(node.text);
  for (const { type, attrs } of fieldsOf(node.marks)) {
    const href = isFields(attrs) ? escapeValue(attrs.href) : '';
    const tag = typeof type === 'string' && Object.hasOwn(tags, type) ? tags[type] : undefined;
    if (type === 'link') text = `<a href="${href}">${text}</a>`;
    else if (tag !== undefined) text = `<${tag}>${text}</${tag}>`;
  }
  return text;
}

/** Nodes with a meaning of their own: their markup by their attributes and what they hold. */
const writers: Readonly<Record<string, (attributes: Fields, inner: string) => string>> = {
  heading: ({ level }, inner) => {
    const tag = `h${typeof level === 'number' && level >= 1 && level <= 6 ? level : 6}`;
    return `<${tag}>${inner}</${tag}>`;
  },
  taskList: (_, inner) => `<ul>${inner}</ul>`,
  taskItem: ({ state }, inner) => `<li data-task-state="${escapeValue(state)}">${inner}</li>`,
  blockTaskItem: ({ state }, inner) => `<li data-task-state="${escapeValue(state)}">${inner}</li>`,
  mention: ({ id, text }) => `<span data-mention-id="${escapeValue(id)}">${escapeValue(text)}</span>`,
  date: ({ timestamp }) => `<span data-node-type="date" data-timestamp="${escapeValue(timestamp)}"></span>`,
  emoji: ({ text, shortName }) => escapeValue(text) || escapeValue(shortName),
  status: ({ text }) => escapeValue(text),
  hardBreak: () => '<br>',
  rule: () => '<hr>',
  expand: ({ title }, inner) => `<p>${escapeValue(title)}</p>${inner}`,
  nestedExpand: ({ title }, inner) => `<p>${escapeValue(title)}</p>${inner}`,
  inlineCard: ({ url }) => ` ${escapeValue(url)} `,
  blockCard: ({ url }) => `<p>${escapeValue(url)}</p>`,
  embedCard: ({ url }) => `<p>${escapeValue(url)}</p>`,
  media: ({ alt, url, id }) => `<img alt="${escapeValue(alt) || escapeValue(id)}" src="${escapeValue(url)}">`,
  mediaInline: ({ alt, url, id }) => `<img alt="${escapeValue(alt) || escapeValue(id)}" src="${escapeValue(url)}">`,
};

/** The markup of a document, or of a node of one. Attributes of nodes that are unknown are shown as a macro's are. */
export function markupOf(node: Fields): string {
  const type = typeof node.type === 'string' ? node.type : '';
  if (type === 'text') return textOf(node);
  const inner = fieldsOf(node.content).map(markupOf).join('');
  const attributes = isFields(node.attrs) ? node.attrs : {};
  const writer = Object.hasOwn(writers, type) ? writers[type] : undefined;
  if (writer) return writer(attributes, inner);
  const tag = Object.hasOwn(tags, type) ? tags[type] : undefined;
  if (tag !== undefined) return `<${tag}>${inner}</${tag}>`;
  const isShown = type !== 'doc' && !type.startsWith('media') && node.attrs !== undefined;
  const stated = isShown
    ? `<ac:parameter>${escaped(`${type} ${JSON.stringify(node.attrs)}`)}</ac:parameter>`
    : escapeValue(node.text);
  return stated + inner;
}
