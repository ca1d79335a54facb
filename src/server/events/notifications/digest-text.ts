import { notifications as messages } from '../../../domain/messages.ts';
import { issuePath } from '../../../domain/pages.ts';
import { profilePath } from '../../../domain/user.ts';
import { noticeKinds } from '../../checklists/decide/row-events.ts';
import type { DigestIssue, DigestItem } from './digest.ts';

const MAX_SHOWN_ITEMS = 20;

const escaped = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** The tracker's search for issues by id, which shows only issues that the reader has permission to see. */
const searchUrl = (site: string, issues: readonly string[]): string =>
  `${site}/issues/?jql=${encodeURIComponent(`id in (${issues.join(', ')})`)}`;

interface Part {
  title: string;
  items: readonly DigestItem[];
}

/** The link of an issue; by search if its key is not known. */
const issueUrl = (site: string, { issue, key }: DigestIssue): string =>
  key === null ? searchUrl(site, [issue]) : `${site}${issuePath(key)}`;

function partsOf(items: readonly DigestItem[]): Part[] {
  const shown = items.slice(0, MAX_SHOWN_ITEMS);
  return noticeKinds.flatMap(kind => {
    const itemsOfKind = shown.filter(item => item.kind === kind);
    return itemsOfKind.length > 0 ? [{ title: messages.titles[kind], items: itemsOfKind }] : [];
  });
}

const profileUrl = (site: string, account: string): string => `${site}${profilePath(account)}`;

/** Names by account. Who has none is linked all the same: the profile may show one. */
type Names = ReadonlyMap<string, string>;

const lineText = (site: string, names: Names, { text, by }: DigestItem): string =>
  by === undefined ? text : `${text} (${messages.assignedBy(names.get(by))}: ${profileUrl(site, by)})`;

const lineHtml = (site: string, names: Names, { text, by }: DigestItem): string =>
  by === undefined
    ? escaped(text)
    : `${escaped(text)} (<a href="${escaped(profileUrl(site, by))}">${escaped(messages.assignedBy(names.get(by)))}</a>)`;

/** The accounts that a digest about an issue names. */
export const namedAuthors = ({ items }: DigestIssue): string[] => [
  ...new Set(items.slice(0, MAX_SHOWN_ITEMS).flatMap(({ by }) => by ?? [])),
];

/**
 * A digest as text and as HTML. It names the items of one issue only, as the tracker restricts it to people who see that
 * one; items of other issues are counted, with a link.
 */
export function digestText(
  site: string,
  first: DigestIssue,
  otherIssues: readonly DigestIssue[],
  names: Names = new Map(),
): { text: string; html: string } {
  const { items, key } = first;
  const parts = partsOf(items);
  const hiddenItemCount = items.length - Math.min(items.length, MAX_SHOWN_ITEMS);
  const more = hiddenItemCount > 0 ? [messages.more(hiddenItemCount)] : [];
  const issueLink = { words: messages.openIssue(key), url: issueUrl(site, first) };
  const count = otherIssues.reduce((sum, other) => sum + other.items.length, 0);
  const searchLinks =
    otherIssues.length === 0
      ? []
      : [
          {
            words: messages.elsewhere(count, otherIssues.length),
            url: searchUrl(
              site,
              otherIssues.map(other => other.issue),
            ),
          },
        ];
  const links = [issueLink, ...searchLinks];
  const text = [
    ...parts.map(part => [part.title, ...part.items.map(item => `- ${lineText(site, names, item)}`)].join('\n')),
    ...more,
    links.map(({ words, url }) => `${words}: ${url}`).join('\n'),
    messages.reason,
  ].join('\n\n');
  const html = [
    ...parts.map(
      part =>
        `<p><strong>${escaped(part.title)}</strong></p><ul>${part.items.map(item => `<li>${lineHtml(site, names, item)}</li>`).join('')}</ul>`,
    ),
    ...more.map(line => `<p>${escaped(line)}</p>`),
    ...links.map(({ words, url }) => `<p><a href="${escaped(url)}">${escaped(words)}</a></p>`),
    `<p>${escaped(messages.reason)}</p>`,
  ].join('');
  return { text, html };
}
