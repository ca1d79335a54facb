import * as v from 'valibot';

/** Long text fields: the tracker stores a rendering, not the original characters. */

/**
 * A text after being stored and read back: LF line ends, no blanks at the ends of lines, no more than one blank line in
 * a row and none at either end.
 */
export const rerender = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(line => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');

export interface DocumentNode {
  type: string;
  version?: number;
  text?: string;
  content?: DocumentNode[];
}

/** The text as the document that version 3 of the REST API answers: a paragraph for each block of lines. */
export const toDocument = (text: string): DocumentNode => ({
  type: 'doc',
  version: 1,
  content: text.split('\n\n').map(block => ({
    type: 'paragraph',
    content: block
      .split('\n')
      .flatMap((line, index) => [
        ...(index > 0 ? [{ type: 'hardBreak' }] : []),
        ...(line ? [{ type: 'text', text: line }] : []),
      ]),
  })),
});

const nodeShape: v.GenericSchema<unknown, DocumentNode> = v.lazy(() =>
  v.object({
    type: v.string(),
    text: v.exactOptional(v.string()),
    content: v.exactOptional(v.array(nodeShape)),
  }),
);
export const documentShape = v.object({ type: v.literal('doc'), version: v.literal(1), content: v.array(nodeShape) });

/** The plain text of a document: blocks parted by blank lines. */
export const fromDocument = (document: DocumentNode): string => (document.content ?? []).map(inlineText).join('\n\n');

function inlineText(node: DocumentNode): string {
  if (node.type === 'hardBreak') return '\n';
  return (node.text ?? '') + (node.content ?? []).map(inlineText).join(node.type.endsWith('List') ? '\n' : '');
}

/** Paragraphs as HTML, for `expand=renderedFields`. */
export const toHtml = (text: string): string =>
  text
    .split('\n\n')
    .map(block => `<p>${escapeHtml(block).replaceAll('\n', '<br/>')}</p>`)
    .join('\n');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, char => ENTITIES[char] ?? char);
