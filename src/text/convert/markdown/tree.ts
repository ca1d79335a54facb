import type { Root } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';

/*
 * GitHub's Markdown as a tree. Boxes are read by `boxOf`, which knows more of them than GitHub. Addresses are found so that
 * nothing in them is taken for emphasis; the step that looks for more of them in a tree's text is left out.
 */

const options: Options = {
  extensions: [
    frontmatter(['yaml', 'toml']),
    gfmAutolinkLiteral(),
    gfmTable(),
    gfmStrikethrough({ singleTilde: false }),
  ],
  mdastExtensions: [
    frontmatterFromMarkdown(['yaml', 'toml']),
    { ...gfmAutolinkLiteralFromMarkdown(), transforms: [] },
    gfmTableFromMarkdown(),
    gfmStrikethroughFromMarkdown(),
  ],
};

export const treeOf = (text: string): Root => fromMarkdown(text, options);

/** Characters of one piece: the parser takes some milliseconds for them. */
const PIECE_CHARS = 2000;

/** Characters that are parsed at once if a text has no earlier place to part it. More are read line by line, unparsed. */
export const MAX_PIECE_CHARS = 10_000;

export interface Piece {
  text: string;
  /** The piece's first line in the whole text, from 1. */
  line: number;
}

/** A line that begins a block of its own in whatever stands above, except in code and markup. */
const starts = /^(?:#{1,6}[ \t\xa0]|(?:[-*+]|1[.)])[ \t\xa0]+\S)/;
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/** The text in pieces that mean together what they mean apart: each begins with a header, an item or a paragraph. */
export function piecesOf(text: string): Piece[] {
  if (text.length <= PIECE_CHARS) return [{ text, line: 1 }];
  const pieces: Piece[] = [];
  let from = 0;
  let line = 1;
  let firstLine = 1;
  let open = '';
  let comment = false;
  let blankAbove = false;
  for (let at = 0; at < text.length; line++) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    const words = text.slice(at, end);
    const startsBlock = blankAbove ? /^[^\s<>|]/.test(words) : starts.test(words);
    if (open === '' && !comment && startsBlock && at - from >= PIECE_CHARS) {
      pieces.push({ text: text.slice(from, at), line: firstLine });
      from = at;
      firstLine = line;
    }
    const mark = words.length < 1000 ? fence.exec(words)?.[1] : undefined;
    if (open === '' && mark !== undefined) open = mark;
    else if (mark?.startsWith(open) && words.trim() === mark) open = '';
    if (open === '') {
      const [opener, closer] = [words.lastIndexOf('<!--'), words.lastIndexOf('-->')];
      if (opener > closer) comment = true;
      else if (closer >= 0) comment = false;
    }
    blankAbove = words.trim() === '';
    at = end + 1;
  }
  pieces.push({ text: text.slice(from), line: firstLine });
  return pieces;
}
