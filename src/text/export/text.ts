import { chips } from '../../domain/messages.ts';
import { bulletOf, hasLabelOrFlag } from '../convert/head.ts';
import { underlines } from '../convert/text.ts';
import { inlineOf, inlineOfDetails, type Segment } from '../inline.ts';
import type { Checklist, Row } from '../types.ts';
import { labelsOf } from './head.ts';
import { type ExportOptions, withNames } from './person.ts';

const plain = (segments: readonly Segment[]): string =>
  segments
    .map(segment => {
      if (segment.type === 'link') return `${segment.text} (${segment.href})`;
      if (segment.type === 'gate') return `(${chips.gate(segment.value)})`;
      if (segment.type === 'customers') return `(${chips.customers})`;
      return 'children' in segment ? plain(segment.children) : segment.text;
    })
    .join('');

/** A detail by indentation alone, if its start could not be taken for a mark. */
const isPlain = (text: string) => /^[\p{L}\p{N}]/u.test(text) && !bulletOf(text) && !/^x[ \t\xa0]/.test(text);

function linesOf(row: Row, text: string, details: readonly string[]): string[] {
  if (row.kind === 'header') {
    const underline = (underlines[row.level - 1] ?? '').repeat(Math.max(3, [...text].length));
    return ['', ...(text === '' ? [] : [text, underline]), ...details.map(detail => `> ${detail}`.trimEnd())];
  }
  const labels = labelsOf(row);
  const stated = labels.length === 0 && hasLabelOrFlag(text) ? [`[${row.status.name}]`] : labels;
  const line = [row.status.checked ? '☑' : '☐', ...stated, text].filter(part => part !== '').join(' ');
  return [line, ...details.map(detail => (isPlain(detail) ? `    ${detail}` : `    > ${detail}`.trimEnd()))];
}

/** Text for a mail or a file: underlined headers, `☐` and `☑`, details indented, emphasis taken away, addresses in parentheses. */
export function exportText(checklist: Checklist, options: ExportOptions): string {
  const lines = checklist.rows.flatMap((row, i) =>
    linesOf(
      row,
      // A code of blanks at an end would indent the line.
      withNames(plain(inlineOf(checklist, i)), options).trim(),
      inlineOfDetails(checklist, i).map(segments => withNames(plain(segments), options)),
    ),
  );
  return lines.join('\n').trim();
}
