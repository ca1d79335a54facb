import { expect, test } from 'vitest';
import { marked, nodesOf, strict } from './trees.ts';

/** A source, and what its rows are. */
const lines: [what: string, source: string][] = [
  ['empty text', ''],
  ['blank lines', ' \n\t\n\n'],
  ['headers', '{Header:{HeaderMark:#} A\n}{Header:{HeaderMark:######} F\n}{Header:{HeaderMark:##}}'],
  ['hashes that make no header', '{Item:#tag\n}{Item:####### seven}'],
  ['marks', '{Item:{TodoMark:-} a\n}{Item:{DoneMark:+} a\n}{Item:{InProgressMark:~} a\n}{Item:{SkippedMark:x} a\n}'],
  ['marks alone', '{Item:{TodoMark:-}\n}{Item:{DoneMark:+}\t\n}{Item:{InProgressMark:~}\n}{Item:{SkippedMark:x}}'],
  [
    'marks that make no item',
    '{Item:-5 degrees\n}{Item:+1 from me\n}{Item:--- sep\n}{Item:~ish\n}{Item:xylophone\n}{Item:X ray\n}',
  ],
  ['blanks before a mark', '{Item:  {TodoMark:-} a\n}{Header: \t{HeaderMark:#} b\n}{Item:  c}'],
  ['other line ends', '{Item:{TodoMark:-} a\r\n}\r{Item:{TodoMark:-} b\r}{Item:c\u2028d}'],
  [
    'details',
    '{Header:{HeaderMark:#} A\n{Details:{DetailsMark:>} one\n}{Details: {DetailsMark:>}two\n}}{Item:{TodoMark:-} a\n{Details:{DetailsMark:>}}}',
  ],
  ['details with nothing above', '{Item:> a\n}\n{Item:{TodoMark:-} b\n}  \n{Item: > c\n{Details:{DetailsMark:>} d}}'],
  [
    'mandatory',
    '{Item:{TodoMark:-} {Mandatory:!} a\n}{Item:{SkippedMark:x}  {Mandatory:!}\n}{Item:{TodoMark:-} !a\n}{Item:! a\n}{Item:{TodoMark:-} {Mandatory:!} ! a\n}',
  ],
  [
    'statuses',
    '{Item:{TodoMark:-} {StatusLabel:{StatusBracket:[}ON HOLD{StatusBracket:]}} a\n}{Item:{DoneMark:+}  {StatusLabel:{StatusBracket:[}QA{StatusBracket:]}}}',
  ],
  [
    'a status and mandatory',
    '{Item:{TodoMark:-} {StatusLabel:{StatusBracket:[}A{StatusBracket:]}} {Mandatory:!} a\n}{Item:{TodoMark:-} {Mandatory:!} {StatusLabel:{StatusBracket:[}A{StatusBracket:]}} ! a}',
  ],
  ['a key in a label', '{Item:{TodoMark:-} {StatusLabel:{StatusBracket:[}{IssueKey:ABC-12}{StatusBracket:]}} Fix}'],
  [
    'brackets that are no status',
    '{Item:{InProgressMark:~} [A] a\n}{Item:{TodoMark:-} a [A]\n}{Item:{TodoMark:-} []\n}{Item:{TodoMark:-} [A]b\n}{Item:{TodoMark:-} [[A]]\n}{Item:[A] a}',
  ],
  [
    'a link at the start',
    '{Item:{TodoMark:-} {Link:{LinkBracket:[}docs{LinkTarget:](https://a.b)}}\n}{Item:{TodoMark:-} {Mention:[~accountid:a1]}}',
  ],
  [
    'a name of 50 characters',
    `{Item:{TodoMark:-} {StatusLabel:{StatusBracket:[}${'a'.repeat(50)}{StatusBracket:]}} b}`,
  ],
  ['a name of 51 characters', `{Item:{TodoMark:-} [${'a'.repeat(51)}] b}`],
  [
    "a header's marks",
    '{Header:{HeaderMark:#} A {Gate:!before:Done} {Gate:!before:[Ready for release]}  {Customers:!customers}\n}{Header:{HeaderMark:##} {Customers:!customers}\n}{Header:{HeaderMark:#}\t{Gate:!Before:a}\t{Customers:!CUSTOMERS}\t\n}',
  ],
  [
    "a header's marks inside its sentence",
    '{Header:{HeaderMark:#} A {Gate:!before:Done} {Bold:{EmphasisMark:**}b{EmphasisMark:**}} {Customers:!customers} c\n{Details:{DetailsMark:>} !customers\n}}',
  ],
  [
    'names of gates',
    `{Header:{HeaderMark:#} {Gate:!before:in-review/2,} {Gate:!before:_x_*y*} {Gate:!before:готово} {Gate:!before:[a !before:b]} {Gate:!before:${'a'.repeat(60)}} {Gate:!before:[${'a'.repeat(60)}]}}`,
  ],
  [
    'what makes no mark of a header',
    `{Header:{HeaderMark:#} a!customers !customersx !customers, !before !before: !before:[] !before:[ ] !before:a! !before:[a]b !before:${'a'.repeat(61)} !before:[${'a'.repeat(61)}] !before:[a[b]] (!customers)\n}`,
  ],
  [
    "a header's marks in code, emphasis and links",
    '{Header:{HeaderMark:#} {Code:`!customers`} {Bold:{EmphasisMark:**}a !customers b{EmphasisMark:**}} {Italic:{EmphasisMark:_}a !before:b{EmphasisMark:_}} {Link:{LinkBracket:[}a !customers{LinkTarget:](https://a.b)}} !before:{Code:`a`}}',
  ],
  [
    "a header's marks elsewhere",
    '{Item:{TodoMark:-} a !customers !before:Done\n}{Item:!customers\n{Details:{DetailsMark:>} !before:Done}}',
  ],
];

test.each(lines)('%s', (_, source) => {
  const { text, nodes } = marked(source);
  expect(nodesOf(strict.parse(text))).toEqual([`Checklist 0-${text.length}`, ...nodes]);
});
