import { looksStated } from '../convert/head.ts';
import { outsideCode } from '../convert/lines.ts';
import type { Checklist, Row } from '../types.ts';
import { labelsOf } from './head.ts';
import { type ExportOptions, withNames } from './person.ts';

/**
 * Characters with a meaning in Markdown but not in checklist text; addresses stay. Emphasis, code and links are the
 * same in both.
 */
const special = /https?:\/\/(?:[^\s()<>"!]|!(?!\[))+|\\(?=[!-/:-@[-`{-~])|<|!(?=\[)|__|&(?=#?[A-Za-z0-9]{1,31};)/g;

/** A task that a quote of a header says, which `convert` would take for one of the list. */
const quotedTask = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]+(?:\[|\p{So}|✓|✔))/u;

const escaped = (text: string) =>
  outsideCode(text, prose =>
    prose.replace(special, found => (found.length > 2 ? found : [...found].map(sign => `\\${sign}`).join(''))),
  );

function linesOf(row: Row, first: boolean, options: ExportOptions): string[] {
  const details = row.details.map(({ text }) => escaped(withNames(text, options)));
  const text = escaped(withNames(row.text, options));
  if (row.kind === 'header') {
    const quotes = details.map(
      text => `> ${text.replace(quotedTask, mark => `${mark.slice(0, -1)}\\${mark.slice(-1)}`)}`,
    );
    const title = `${'#'.repeat(row.level)} ${text.replace(/(?<=^|[ \t])#+$/, '\\$&')}`.trimEnd();
    return [
      ...(first ? [] : ['']),
      title,
      ...(quotes.length > 0 ? ['', ...quotes.map(quote => quote.trimEnd())] : []),
      '',
    ];
  }
  const words = looksStated(row.text) && !text.startsWith('\\') ? `\\${text}` : text;
  const line = [`- [${row.status.checked ? 'x' : ' '}]`, ...labelsOf(row), words].filter(part => part !== '').join(' ');
  return [line, ...details.map(text => `  > ${text}`.trimEnd())];
}

/** A task list of GitHub or GitLab. A status without a box of its own stands in brackets, `!` for mandatory; details are quotes. */
export function exportGithub({ rows }: Checklist, options: ExportOptions): string {
  const lines = rows.flatMap((row, i) => linesOf(row, i === 0, options));
  return lines
    .filter((line, i) => line !== '' || lines[i - 1] !== '')
    .join('\n')
    .trim();
}
