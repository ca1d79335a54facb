import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsingHtml } from '../../../src/text/convert/html/parse-html.ts';
import { parsingHtml as parsingInBrowser } from '../../../src/text/convert/html/parse-html-in-browser.ts';
import { finish } from '../../../src/text/sliced.ts';
import { runs } from '../../run/seed.ts';

test('a browser and the server read the same of a page', () => {
  const piece = fc.constantFrom(
    ...[
      '<ul>',
      '<li>',
      '</ul>',
      '<table>',
      '<td>',
      '</table>',
      '<b>',
      '</b>',
      '<p>',
      '<pre>\n',
      '<br>',
      '<a href="x&amp;y">',
      '</a>',
    ],
    ...[
      '<ac:task ac:name="t">',
      '</ac:task>',
      '<input type=checkbox checked>',
      '<!-- c -->',
      '&nbsp;',
      '&lt;',
      'word',
      ' ',
      '\n',
      '<svg><a xlink:href="x">',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), pieces => {
      const html = pieces.join('');
      expect(finish(parsingInBrowser(html))).toEqual(finish(parsingHtml(html)));
    }),
    runs(1000),
  );
});
