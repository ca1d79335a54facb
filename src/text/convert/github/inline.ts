import { losses } from '../../../domain/messages.ts';
import type { Loss } from '../blocks.ts';
import { decoded } from '../html/entities.ts';
import { attributesOf } from '../html/tokens.ts';
import { outsideCode } from '../lines.ts';
import { isLinked, linkOf } from '../spans.ts';
import { type Definitions, labelKey } from './definitions.ts';

const image = /(?<!\\)!\[([^\][\n]*)\]\(([^()\s]*)(?:[ \t]+"[^"\n]*")?\)/g;
const titled = /(\]\([^\s()"]+)[ \t]+"([^"\n]*)"\)/g;
const angled = /(?<!\\)<((?:https?:\/\/|mailto:)[^\s<>]+)>/gi;
const reference = /(?<![\\!\]])\[([^\][\n]+)\](?:\[([^\][\n]*)\])?(?![(:])/g;

/** Addresses keep their backslashes and underscores; then escapes, characters by name, and bold of underscores. */
const rest =
  /https?:\/\/(?:[^\s()<>"\\]|\\(?!<|!\[))+|\\([!-/:-@[-`{-~])|(&(?:#\d{1,8}|#[xX][\da-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,30});)|(?<![\p{L}\p{N}_\\])__(?!\s)([^_]*[^\s_])__(?![\p{L}\p{N}_])/gu;

/** Most lines have nothing of this and are ours as they stand. */
const special = /[\\<&]|!\[|\]\(|__|\[[^\][\n]+\]/;

const emphasis: Record<string, string> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  s: '~~',
  del: '~~',
  strike: '~~',
  code: '`',
  kbd: '`',
  br: ' ',
};
const anchor = /(?<!\\)<a(?=\s)([^<>]*)>([^<>]*)<\/a>/gi;
const tag =
  /(?<!\\)<(\/?)(a|b|strong|i|em|s|del|strike|code|kbd|br|p|div|span|sub|sup|u|ins|details|summary|img|picture|source|hr|center|font|small|big|mark|ul|ol|li|table|thead|tbody|tr|td|th|h[1-6])(?=[\s/>])([^<>]*)>/gi;

/** The tags that Markdown lets through: looks become ours, layout goes. */
function withoutTags(prose: string, lose: (what: string, text: string) => void): string {
  if (!prose.includes('<')) return prose;
  return prose
    .replace(anchor, (_, attributes: string, words: string) => {
      const href = attributesOf(attributes).get('href') ?? '';
      if (!isLinked(href)) lose(losses.address, href);
      return linkOf(words, href);
    })
    .replace(tag, (_, slash: string, name: string, attributes: string) => {
      const key = name.toLowerCase();
      if (key === 'img') {
        const stated = attributesOf(attributes);
        lose(losses.image, [stated.get('alt'), stated.get('src')].filter(Boolean).join(' '));
      } else if (key === 'a' && slash === '') lose(losses.address, attributesOf(attributes).get('href') ?? '');
      return emphasis[key] ?? '';
    });
}

/** Comments inside a line. Up to the last end of a comment, every start has its end. */
function withoutComments(prose: string, lose: (what: string, text: string) => void): string {
  const last = prose.lastIndexOf('-->');
  if (last < 0) return prose;
  const before = prose.slice(0, last + 3).replace(/(?<!\\)<!--(.*?)-->/g, (_, comment: string) => {
    lose(losses.comment, comment.trim());
    return '';
  });
  return before + prose.slice(last + 3);
}

/** Inline markup of GitHub's Markdown in ours. */
export function inlineOf(text: string, line: number, definitions: Definitions, lost: Loss[]): string {
  if (!special.test(text)) return text;
  const lose = (what: string, words: string) => {
    if (words !== '') lost.push({ what, line, text: words });
  };
  const linked = (prose: string) =>
    definitions.size === 0
      ? prose
      : prose.replace(reference, (found, words: string, label: string | undefined) => {
          const address = definitions.get(labelKey(label || words));
          return address === undefined ? found : linkOf(words, address);
        });
  return outsideCode(text, prose =>
    linked(
      withoutTags(
        withoutComments(prose, lose)
          .replace(image, (_, alt: string, address: string) => {
            lose(losses.image, [alt, address].filter(part => part !== '').join(' '));
            return '';
          })
          .replace(titled, (_, link: string, title: string) => {
            lose(losses.title, title);
            return `${link})`;
          })
          .replace(angled, '$1'),
        lose,
      ),
    ).replace(rest, (found, escaped?: string, entity?: string, bold?: string) => {
      if (escaped !== undefined) return escaped;
      if (entity !== undefined) return decoded(entity);
      return bold === undefined ? found : `**${bold.replace(/\\([!-/:-@[-`{-~])/g, '$1')}**`;
    }),
  );
}
