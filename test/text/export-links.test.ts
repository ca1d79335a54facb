import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal';
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';
import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { exportHtml } from '../../src/text/export/html.ts';
import { exportChecklist } from '../../src/text/export.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs } from '../run/seed.ts';

/** Links and pictures in exports, found by readers that are not ours. */

const piece = fc.constantFrom(
  ...['javascript:alert(1)', 'JaVaScRiPt:x', 'data:text/html,x', 'vbscript:x', 'file:///a', '&#106;avascript:x'],
  ...['[a](javascript:x)', '![a](https://a.b/x.png)', '<javascript:x>', '[a]: javascript:x', '[a][a]', '[a]', '![a]'],
  ...['[a|javascript:x]', '[javascript:x]', '!x.png!', '!https://a.b/x.png!', '<img src=x>', '<a href="javascript:x">'],
  ...['https://a.b/x', '[l](https://a.b)', '[l](mailto:a@b.cd)', '[l](https://a.b/javascript:x)', 'www.a.bc'],
  ...[
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '!',
    '|',
    '\\',
    '`',
    '"',
    ' ',
    '\n- ',
    '\n> ',
    '\n# ',
    '{',
    '}',
    '&',
    'a',
    ':',
    '*',
  ],
);
const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map(pieces => `- ${pieces.join('')}`);

/** The schemes that a link may have. */
const harmless = /^(?:https?|mailto):/i;

interface Node {
  type: string;
  url?: string;
  children?: readonly Node[];
}

const allNodes = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(allNodes)];

test('of any text, GitHub gets harmless links only, and no picture', () => {
  fc.assert(
    fc.property(text, text => {
      const exported = exportChecklist(readChecklist(text), 'github');
      const tree = fromMarkdown(exported, {
        extensions: [gfmAutolinkLiteral()],
        mdastExtensions: [gfmAutolinkLiteralFromMarkdown()],
      });
      const nodes = allNodes(tree);
      const types = nodes.map(({ type }) => type);
      expect(
        types.filter(type => /image|html|definition|Reference/.test(type)),
        exported,
      ).toEqual([]);
      for (const { type, url = '' } of nodes) if (type === 'link') expect(url, exported).toMatch(harmless);
    }),
    runs(5000),
  );
});

interface Element {
  nodeName: string;
  attrs?: readonly { name: string; value: string }[];
  childNodes?: readonly Element[];
}

const allElements = (node: Element): readonly Element[] => [node, ...(node.childNodes ?? []).flatMap(allElements)];

test('of any text, HTML has harmless links only, and no picture', () => {
  fc.assert(
    fc.property(text, text => {
      const exported = exportHtml(readChecklist(text), {});
      for (const { nodeName, attrs = [] } of allElements(parse(exported) as Element)) {
        expect(nodeName, exported).not.toMatch(/^(?:img|script|iframe|object)$/);
        for (const { name, value } of attrs) if (name === 'href') expect(value, exported).toMatch(harmless);
      }
    }),
    runs(5000),
  );
});

test('of any text, wiki markup has harmless links only, and no picture', () => {
  fc.assert(
    fc.property(text, text => {
      const exported = exportChecklist(readChecklist(text), 'wiki');
      // A backslash takes the meaning of the sign behind it.
      const signs = exported.replace(/\\./g, '');
      for (const [, target = ''] of signs.matchAll(/\[(?:[^\]|\n]*\|)?([^\]|\n]*)\]/g))
        if (/^\s*[a-z][a-z0-9+.-]*:/i.test(target)) expect(target, exported).toMatch(harmless);
      expect(signs, exported).not.toMatch(/![^!\s]+!/);
    }),
    runs(5000),
  );
});
