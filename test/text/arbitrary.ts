import fc from 'fast-check';
import { statusRegistry } from '../../src/text/status-registry.ts';
import { anyCharacter } from '../run/any-character.ts';

/** Two statuses of a site's own, one of each checked flag. */
export const statuses = statusRegistry([
  { slug: 'on_hold', name: 'ON HOLD', checked: false, color: 'red' },
  { slug: 'released', name: 'Released', checked: true, color: 'purple' },
]);

/** What the grammar and the edits decide by, line ends apart. */
const pieces = [
  ...['- ', '+ ', '~ ', 'x ', '-', '+', '~', 'x', '# ', '### ', '#', '> ', '>', '! ', '!', ' ', '  ', '\t'],
  ...['[ON HOLD]', '[on  hold] ', '[Nope] ', '[ABC-1]', '[', ']', '(', ')', '](', '[a](https://b.c)', 'https://b.c/'],
  ...['[~accountid:a:1]', '[~', '@bob', '@', '2026-11-20', '30.02.2026', '31/12/2199', 'ABC-12', 'A-1', ':tada:', ':'],
  ...['*', '**', '***', '****', '_', '__', '~~', '~~~', '`', '``', '/browse/AB-1', '.', 'word', 'w', '1', 'é', '日'],
  ...['!before:Done ', ' !before:[In  review]', '!before:', '[Done]', ' !customers', '!customers '],
];
const lineEnds = ['\n', '\n', '\n\n'];
const strange = ['\r', '\r\n', '\0', '\uFEFF', '\u2028', '\uD83D', '\uDE00', '😀', '\u00A0'];

/** Texts of few different pieces, which hit a rule's corners far oftener than texts of many. */
const narrow = (alphabet: readonly string[], maxLength: number) =>
  fc
    .uniqueArray(fc.constantFrom(...alphabet), { minLength: 2, maxLength: 6 })
    .chain(few => fc.array(fc.constantFrom(...few), { maxLength }).map(parts => parts.join('')));

const wide = (alphabet: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...alphabet), { maxLength }).map(parts => parts.join(''));

const everything = [...pieces, ...lineEnds, ...strange];

/** Any string, mostly of what the language is made of. */
export const anyText = fc.oneof(
  { weight: 3, arbitrary: narrow(everything, 40) },
  { weight: 1, arbitrary: wide(everything, 40) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
);

const clean = [...pieces, ...lineEnds];

/** A text as it is stored: LF only. */
export const storedText = fc.oneof(
  { weight: 3, arbitrary: narrow(clean, 30) },
  { weight: 1, arbitrary: wide(clean, 30) },
);

/** One line without a break. */
export const lineText = fc.oneof(narrow(pieces, 8), wide(pieces, 8));

const mark = fc.constantFrom(
  '- ',
  '+ ',
  '~ ',
  'x ',
  '- ! ',
  '-   ',
  '- [ON HOLD] ',
  '+ [released]  ! ',
  '- ! [ON HOLD] ',
  '  - ',
  '-',
);
const words = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'write tests', 'ship it', 'ABC-1 fix', '**bold**');
const details = fc.constantFrom('', '', '', '\n> why', '\n> one\n> two');
const blanks = fc.constantFrom('', '', '', '\n', '\n  \n');

/** Rows that all bear a mark, with details and blank lines, with or without a last line break. */
export const markedText = fc
  .tuple(
    fc.constantFrom('', '', '\n'),
    fc.array(
      fc
        .tuple(
          fc.oneof({ weight: 4, arbitrary: mark }, { weight: 1, arbitrary: fc.constantFrom('# ', '## ') }),
          words,
          details,
          blanks,
        )
        .map(([head, text, below, gap]) => `${head === '-' ? '-' : head + text}${below}\n${gap}`),
      { minLength: 1, maxLength: 7 },
    ),
    fc.boolean(),
  )
  .map(([top, rows, open]) => {
    const text = top + rows.join('');
    return open ? text.replace(/\s+$/, '') : text;
  });
