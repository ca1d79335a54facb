import { outsideCode } from '../convert/lines.ts';
import type { Checklist, Row } from '../types.ts';
import { labelsOf, looksLikeLabel } from './head.ts';
import { type ExportOptions, withNames } from './person.ts';

/** What Markdown would read and we do not; addresses stay. Emphasis, code and links are the same in both. */
const special = /https?:\/\/(?:[^\s()<>"!]|!(?!\[))+|\\(?=[!-/:-@[-`{-~])|<|!(?=\[)|__/g;

const escaped = (text: string) =>
  outsideCode(text, prose =>
    prose.replace(special, found => (found.length > 2 ? found : [...found].map(sign => `\\${sign}`).join(''))),
  );

function linesOf(row: Row, first: boolean, options: ExportOptions): string[] {
  const quote = (indent: string) =>
    row.details.map(({ text }) => `${indent}> ${escaped(withNames(text, options))}`.trimEnd());
  const text = escaped(withNames(row.text, options));
  if (row.kind === 'header') {
    const title = `${'#'.repeat(row.level)} ${text.replace(/(?<=^|[ \t])#+$/, '\\$&')}`.trimEnd();
    return [...(first ? [] : ['']), title, ...(row.details.length > 0 ? ['', ...quote('')] : []), ''];
  }
  const words = looksLikeLabel(text) ? `\\${text}` : text;
  const line = [`- [${row.status.checked ? 'x' : ' '}]`, ...labelsOf(row), words].filter(part => part !== '').join(' ');
  return [line, ...quote('  ')];
}

/** A task list of GitHub or GitLab. A status without a box of its own stands in brackets, `!` for mandatory; details are quotes. */
export function exportGithub({ rows }: Checklist, options: ExportOptions): string {
  const lines = rows.flatMap((row, i) => linesOf(row, i === 0, options));
  return lines
    .filter((line, i) => line !== '' || lines[i - 1] !== '')
    .join('\n')
    .trim();
}
