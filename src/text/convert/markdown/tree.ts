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
