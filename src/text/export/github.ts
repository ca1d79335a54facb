import { hasLabelOrFlag } from '../convert/head.ts';
import type { Checklist, Row } from '../types.ts';
import { labelsOf } from './head.ts';
import { type ExportOptions, withNames } from './person.ts';

/** An address that GitHub links as it stands, whatever signs are in it, with its scheme. */
const linked = /^https?:\/\/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?(?:[/?#][\p{L}\p{N}._~:/?#@!$'()*+,;=%-]*)?$/u;

/**
 * Characters with a meaning in Markdown but not in checklist text. Emphasis, code and links are the same in both, but a
 * link to an address of any other scheme, such as `javascript:`, is text here. An address that GitHub does not link is text,
 * its signs escaped.
 */
const special =
  /(?<![A-Za-z])(?:https?:\/\/[^\s<>]+|www\.[^\s<>[\]]+)|\\(?=[!-/:-@[-`{-~]|$)|<|!(?=\[)|__|`|\[(?=\]\()|\[(?![^\][]*\])|\](?=\((?!https?:|mailto:))|&(?=#?[A-Za-z0-9]{1,31};)/giu;

/** `text` with each part that is no code in backticks replaced. */
function outsideCode(text: string, replace: (prose: string) => string): string {
  if (!text.includes('`')) return replace(text);
  const runs = [...text.matchAll(/`+/g)];
  const closers: number[] = [];
  const nextOfLength = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = runs[i]?.[0].length ?? 0;
    closers[i] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, i);
  }
  const parts: string[] = [];
  let position = 0;
  for (let i = 0; i < runs.length; i++) {
    const [opener, closer] = [runs[i], runs[closers[i] ?? -1]];
    if (!opener || !closer) continue;
    const end = closer.index + closer[0].length;
    parts.push(replace(text.slice(position, opener.index)), text.slice(opener.index, end));
    position = end;
    i = closers[i] ?? i;
  }
  parts.push(replace(text.slice(position)));
  return parts.join('');
}

/** A backslash may be part of an address before it, so that it does not escape `<` there. */
const escapedSigns = (text: string, isBehindWord: boolean) =>
  isBehindWord && text === '<' ? '&lt;' : [...text].map(sign => `\\${sign}`).join('');

const escaped = (text: string): string =>
  outsideCode(text, prose =>
    prose.replace(special, (found: string, at: number) => {
      if (!/^(?:https?:|www\.)/i.test(found)) return escapedSigns(found, /\S/.test(prose.charAt(at - 1)));
      // GitHub reads up to the next blank, also over escaped characters and code.
      const end = at + found.length;
      const endsThere = end < prose.length ? /\s/.test(prose.charAt(end)) : text.endsWith(prose);
      if (endsThere && linked.test(found.replace(/^www\./i, 'https://$&'))) return found;
      const linking = /^www/i.test(found) ? '.' : ':';
      return found.replace(/[\\.:_`<&[\]!]/g, sign => (/[.:]/.test(sign) && sign !== linking ? sign : `\\${sign}`));
    }),
  );

/** Characters that would begin a block in Markdown at the start of a quoted line. */
const blockStart = /^(?:[-+*>=#|~:]|\[[^\][]*\]:|\d{1,9}(?=[.)](?:[ \t]|$)))/;

/** A line of a quote, whose start is no mark of anything. */
const quoted = (text: string) =>
  text.trimStart().replace(blockStart, start => (/^\d/.test(start) ? `${start}\\` : `\\${start}`));

function linesOf(row: Row, first: boolean, options: ExportOptions): string[] {
  const details = row.details.map(({ text }) => escaped(withNames(text, options)));
  const text = escaped(withNames(row.text, options));
  if (row.kind === 'header') {
    const quotes = details.map(text => `> ${quoted(text)}`);
    const title = `${'#'.repeat(row.level)} ${text.replace(/(?<=^|[ \t\xa0])#+$/, '\\$&')}`.trimEnd();
    return [
      ...(first ? [] : ['']),
      title,
      ...(quotes.length > 0 ? ['', ...quotes.map(quote => quote.trimEnd())] : []),
      '',
    ];
  }
  const words = hasLabelOrFlag(row.text) && !text.startsWith('\\') ? `\\${text}` : text;
  const line = [`- [${row.status.checked ? 'x' : ' '}]`, ...labelsOf(row), words].filter(part => part !== '').join(' ');
  return [line, ...details.map(text => `  > ${quoted(text)}`.trimEnd())];
}

/** A task list of GitHub or GitLab. A status without a box of its own stands in brackets, `!` for mandatory; details are quotes. */
export function exportGithub({ rows }: Checklist, options: ExportOptions): string {
  const lines = rows.flatMap((row, i) => linesOf(row, i === 0, options));
  return lines
    .filter((line, i) => line !== '' || lines[i - 1] !== '')
    .join('\n')
    .trim();
}
