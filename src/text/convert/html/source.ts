import type { Sliced } from '../../sliced.ts';

/** Elements of other markup, as Confluence's, Evernote's and OPML's, that are closed in their tag; HTML knows no such. Days in Confluence are such. */
const selfClosed = /<([a-z][\w.]*[:-][\w.:-]*|outline|time)((?:\s[^<>]*)?)\/>/gi;
const characterData = /<!\[CDATA\[((?:(?!<!\[CDATA\[)[\s\S])*?)\]\]>/g;

/** A tag with its values in quotes, or a comment, from its start. */
const wholeTag = /<(?:!--[\s\S]*?--|[a-z/!?](?:[^<>"']|"[^"]*"|'[^']*')*)>/iy;
/** Comments, and declarations that parsers take for comments. */
const hidden = /^<(?:!(?!doctype)|\?)/i;
/**
 * Elements whose content is no markup, and elements that hide the text behind them. Without an end tag such an element
 * swallows the page.
 */
const verbatim = /<(?=\/?(?:plaintext|frameset|frame)\b)/gi;
const raw = 'script style title textarea xmp iframe noscript noembed noframes template select svg math'.split(' ');

/** Tags that close elements above them. */
const optional =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|optgroup|colgroup)$/;

/** Elements that a parser opens anew in each block until they are closed. */
const formatting = /^(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;

/** Elements may nest this deep. Parsers look through all open elements at many tags. */
const MAX_DEPTH = 256;

/** Elements and attributes that a parser may have to make of a page: some ten milliseconds of work. */
const MAX_PARTS = 40_000;

/** How much work a character by its name is for a parser, compared with an element. */
const SIGN_PARTS = 0.3;

/** How much work an end tag is, compared with an element. */
const END_PARTS = 0.3;

/** How much work each open element adds to a tag: a parser looks through them for what the tag closes. */
const OPEN_PARTS = 1 / 40;

/** How much work an option is for a browser, compared with another element. */
const OPTION_PARTS = 10;

const ATTRIBUTE = /[\s"/]+[^\s"/>=]/g;

/** Estimates what a parser makes of a page, tag by tag. */
class Estimate {
  private readonly open = new Map<string, number>();
  private depth = 0;
  private formatted = 0;
  private parts = 0;

  get isSimple(): boolean {
    return this.depth <= MAX_DEPTH && this.parts <= MAX_PARTS;
  }

  /** Whether what follows is a script or a style, which some programs put into the marks of a comment. */
  get isInProgram(): boolean {
    return (this.open.get('style') ?? 0) + (this.open.get('script') ?? 0) > 0;
  }

  add(tag: string): void {
    const [start = '', slash, stated = ''] = /^<(\/?)([a-z][^\s<>/]*)/i.exec(tag) ?? [];
    const name = stated.toLowerCase();
    if (name === '') return;
    const opened = this.open.get(name) ?? 0;
    const isFormatting = formatting.test(name);
    this.parts += OPEN_PARTS * this.depth + (isFormatting ? 0 : this.formatted);
    if (slash === '') {
      this.parts += this.costOf(name);
      if (tag.length > start.length + 1)
        this.parts +=
          tag
            .slice(start.length)
            .replace(/"[^"]*"|'[^']*'/g, '"')
            .match(ATTRIBUTE)?.length ?? 0;
      if (!optional.test(name)) this.count(name, opened, 1, isFormatting);
    } else {
      this.parts += END_PARTS;
      if (opened > 0) this.count(name, opened, -1, isFormatting);
    }
  }

  /** A `<` that a reader sees. */
  addSign(): void {
    this.parts += SIGN_PARTS;
  }

  private costOf(name: string): number {
    if (name === 'option' || name === 'optgroup') return OPTION_PARTS;
    return this.open.get('svg') || this.open.get('math') ? 2 : 1;
  }

  private count(name: string, opened: number, change: 1 | -1, isFormatting: boolean): void {
    this.open.set(name, opened + change);
    this.depth += change;
    if (isFormatting) this.formatted += change;
  }
}

/** Tags between two pauses. */
const SLICE_TAGS = 1000;

/** A comment in markup. */
export interface Comment {
  /** The line of the comment's first character, from 1. */
  line: number;
  text: string;
}

/** Comments that programs write: the marks of a clipboard, and conditions for one program. */
const programComment = /^(?:StartFragment|EndFragment|\[(?:if|endif)\b[\s\S]*)$/;

/** A page as a parser may read it. */
export interface PreparedHtml {
  /** The comments that people wrote. */
  comments: Comment[];
  /** The markup without comments, and with each `<` that begins no whole tag as the sign that a reader sees. */
  html: string;
  /** Whether a parser reads it within some ten milliseconds. */
  isSimple: boolean;
}

/** Prepares markup for a parser that cannot pause. */
export function* preparing(text: string): Sliced<PreparedHtml> {
  let html = text;
  if (html.includes(']]>'))
    html = html.replace(characterData, (_, data: string) => data.replace(/&/g, '&amp;').replace(/</g, '&lt;'));
  html = html.replace(verbatim, '&lt;').replace(selfClosed, '<$1$2></$1>');
  yield;
  let lower = html.toLowerCase();
  for (const name of raw) {
    const open = lower.indexOf(`<${name}`, lower.lastIndexOf(`</${name}`) + 1);
    if (open < 0) continue;
    html = html.slice(0, open) + html.slice(open).replace(new RegExp(`<(?=${name})`, 'gi'), '&lt;');
    lower = html.toLowerCase();
  }
  yield;
  const lastComment = html.lastIndexOf('-->');
  const lastQuote = Math.max(html.lastIndexOf('"'), html.lastIndexOf("'"), html.lastIndexOf('>'));
  const estimate = new Estimate();
  const parts: string[] = [];
  const comments: Comment[] = [];
  let from = 0;
  let tags = 0;
  let [line, counted] = [1, 0];
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (++tags % SLICE_TAGS === 0) yield;
    wholeTag.lastIndex = at;
    const isComment = html.startsWith('<!--', at);
    if (at < lastQuote && (!isComment || at < lastComment) && wholeTag.test(html)) {
      // Browsers take quadratic time for many comments.
      if (hidden.test(html.slice(at, at + 10))) {
        parts.push(html.slice(from, at));
        from = wholeTag.lastIndex;
        const words = isComment && !estimate.isInProgram ? html.slice(at + 4, from - 3).trim() : '';
        if (words !== '' && !programComment.test(words)) {
          line += html.slice(counted, at).split('\n').length - 1;
          counted = at;
          comments.push({ line, text: words });
        }
      } else estimate.add(html.slice(at, wholeTag.lastIndex));
      at = wholeTag.lastIndex;
    } else {
      estimate.addSign();
      parts.push(html.slice(from, at), '&lt;');
      from = ++at;
    }
    if (!estimate.isSimple) break;
  }
  return { html: parts.join('') + html.slice(from), isSimple: estimate.isSimple, comments };
}
