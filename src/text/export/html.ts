import { chips } from '../../domain/messages.ts';
import { hasLabelOrFlag } from '../convert/head.ts';
import { inlineOf, inlineOfDetails, type Segment } from '../inline.ts';
import type { Checklist, Row } from '../types.ts';
import { labelsOf } from './head.ts';
import type { ExportOptions } from './person.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string) => text.replace(/[&<>"']/g, sign => entities[sign] ?? sign);

const tags = { bold: 'strong', italic: 'em', strike: 's', code: 'code' } as const;

function markupOf(segments: readonly Segment[], options: ExportOptions): string {
  return segments
    .map(segment => {
      switch (segment.type) {
        case 'bold':
        case 'italic':
        case 'strike':
          return `<${tags[segment.type]}>${markupOf(segment.children, options)}</${tags[segment.type]}>`;
        case 'code':
          return `<code>${escaped(segment.text)}</code>`;
        case 'link':
          return `<a href="${escaped(segment.href)}">${markupOf(segment.children, options)}</a>`;
        case 'url':
        case 'issueUrl':
          return `<a href="${escaped(segment.href)}">${escaped(segment.text)}</a>`;
        case 'mention': {
          const name = options.nameOf?.(segment.value);
          return escaped(name === undefined ? segment.text : `@${name}`);
        }
        case 'gate':
          return `(${escaped(chips.gate(segment.value))})`;
        case 'customers':
          return `(${chips.customers})`;
        default:
          return escaped(segment.text);
      }
    })
    .join('');
}

/** An HTML box. Programs that drop the box still show done items struck out, as their own checklists do. */
function itemOf(row: Row & { kind: 'checkbox' }, lines: readonly string[]): string {
  const { checked } = row.status;
  const [text = '', ...details] = lines;
  const stated = labelsOf(row);
  // Words that look like a status have that of their item before them.
  const labels = stated.length === 0 && hasLabelOrFlag(row.text) ? [`[${row.status.name}]`] : stated;
  const words = [...labels.map(escaped), checked && text !== '' ? `<s>${text}</s>` : text].join(' ');
  const box = `<input type="checkbox" disabled${checked ? ' checked' : ''}>`;
  return `<li class="task-list-item">${[`${box} ${words}`, ...details].join('<br>')}</li>`;
}

/**
 * The checklist as HTML for the clipboard: headers, and lists with boxes. What the text says is escaped, and only addresses
 * that the language knows as links become some, so that nothing in a text is markup anywhere. Details are further lines.
 */
export function exportHtml(checklist: Checklist, options: ExportOptions = {}): string {
  const parts: string[] = [];
  let open = false;
  checklist.rows.forEach((row, index) => {
    const text = markupOf(inlineOf(checklist, index), options);
    const details = inlineOfDetails(checklist, index).map(segments => markupOf(segments, options));
    if ((row.kind === 'checkbox') !== open) parts.push(open ? '</ul>' : '<ul class="contains-task-list">');
    open = row.kind === 'checkbox';
    if (row.kind === 'checkbox') parts.push(itemOf(row, [text, ...details]));
    else parts.push(`<h${row.level}>${text}</h${row.level}>`, ...details.map(detail => `<p>${detail}</p>`));
  });
  if (open) parts.push('</ul>');
  return parts.join('');
}

/** A line without a mark, as HTML: its emphasis, code and links. */
export function lineHtml(checklist: Checklist, options: ExportOptions = {}): string {
  return checklist.rows.length === 1 ? `<span>${markupOf(inlineOf(checklist, 0), options)}</span>` : '';
}
