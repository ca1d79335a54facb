import { notifications as messages } from '../../../domain/messages.ts';
import { noticeKinds } from '../../checklists/decide/row-events.ts';
import type { DigestIssue, DigestItem } from './digest.ts';

/** Most named items of a digest. */
const SHOWN = 20;

const escaped = (text: string): string => text.replace(/[&<>"']/g, found => `&#${found.charCodeAt(0)};`);

/** The search for issues by id, which shows only those that the reader may see. */
const searchUrl = (site: string, issues: readonly string[]): string =>
  `${site}/issues/?jql=${encodeURIComponent(`id in (${issues.join(', ')})`)}`;

interface Part {
  title: string;
  lines: string[];
}

function partsOf(items: readonly DigestItem[]): Part[] {
  const shown = items.slice(0, SHOWN);
  return noticeKinds.flatMap(kind => {
    const lines = shown.filter(item => item.kind === kind).map(({ text }) => text);
    return lines.length > 0 ? [{ title: messages.titles[kind], lines }] : [];
  });
}

/**
 * A digest as text and as HTML. It names the items of one issue only, as the tracker restricts it to people who see that
 * one; items of other issues are counted, with a link.
 */
export function digestText(
  site: string,
  { issue, items }: DigestIssue,
  others: readonly DigestIssue[],
): { text: string; html: string } {
  const parts = partsOf(items);
  const rest = items.length - Math.min(items.length, SHOWN);
  const more = rest > 0 ? [messages.more(rest)] : [];
  const here = { words: messages.openIssue, url: searchUrl(site, [issue]) };
  const count = others.reduce((sum, other) => sum + other.items.length, 0);
  const elsewhere =
    others.length === 0
      ? []
      : [
          {
            words: messages.elsewhere(count, others.length),
            url: searchUrl(
              site,
              others.map(other => other.issue),
            ),
          },
        ];
  const links = [here, ...elsewhere];
  const text = [
    ...parts.map(({ title, lines }) => [title, ...lines.map(line => `- ${line}`)].join('\n')),
    ...more,
    links.map(({ words, url }) => `${words}: ${url}`).join('\n'),
    messages.reason,
  ].join('\n\n');
  const html = [
    ...parts.map(
      ({ title, lines }) =>
        `<p><strong>${escaped(title)}</strong></p><ul>${lines.map(line => `<li>${escaped(line)}</li>`).join('')}</ul>`,
    ),
    ...more.map(line => `<p>${escaped(line)}</p>`),
    ...links.map(({ words, url }) => `<p><a href="${escaped(url)}">${escaped(words)}</a></p>`),
    `<p>${escaped(messages.reason)}</p>`,
  ].join('');
  return { text, html };
}
