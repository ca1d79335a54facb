import { type Random, random } from './random.ts';

const words =
  'review the release notes for customers before we ship write tests update documentation check backup of production database and tell support team about it Größe prüfen проверить журнал テスト 確認'.split(
    ' ',
  );

const spans: readonly ((r: Random, phrase: () => string) => string)[] = [
  (_, phrase) => `**${phrase()}**`,
  (_, phrase) => `_${phrase()}_`,
  (_, phrase) => `~~${phrase()}~~`,
  r => `\`run --level ${r.int(9)}\``,
  (r, phrase) => `[${phrase()}](https://example.com/wiki/page-${r.int(1000)})`,
  r => `https://example.com/path/${r.int(1000)}?q=${r.int(10)}`,
  r => `https://site.example.net/browse/ABC-${r.int(500) + 1}`,
  r => `OPS-${r.int(5000) + 1}`,
  r => `[~accountid:5b10a2844c20165700ede2${r.int(90) + 10}]`,
  r => `@person.${r.int(50)}`,
  r => `20${r.int(20) + 20}-${r.int(3) + 10}-${r.int(18) + 10}`,
  r => r.pick([':tada:', ':rocket:', ':+1:']),
];

const marks = ['- ', '- ', '- ', '+ ', '+ ', '~ ', 'x ', '', '- ! ', '- [ON HOLD] ', '+ [QA] ! ', '  - '];

function line(r: Random): string {
  const phrase = () => Array.from({ length: r.int(3) + 1 }, () => r.pick(words)).join(' ');
  const parts = Array.from({ length: r.int(5) + 2 }, () => r.pick(words));
  // Every other line names something or emphasises something.
  for (let spansLeft = r.int(2) * (r.int(2) + 1); spansLeft > 0; spansLeft--)
    parts.splice(r.int(parts.length + 1), 0, r.pick(spans)(r, phrase));
  return parts.join(' ');
}

function row(r: Random): string {
  const kind = r.int(100);
  if (kind < 5) return '';
  if (kind < 10) return `${'#'.repeat(r.int(3) + 1)} ${line(r)}`;
  if (kind < 20) return `> ${line(r)}`;
  return r.pick(marks) + line(r);
}

/** A checklist of so many lines with every construct of the language, LF line ends. */
export function mixedText(lines: number, seed: number): string {
  const r = random(seed);
  return Array.from({ length: lines }, () => row(r)).join('\n');
}

/** Patterns that tempt a parser to repeated look-ahead; a line repeats one of them. */
export const adversarial: readonly string[] = [
  '[',
  '[a',
  '[](',
  '[a](https://b',
  '[~accountid:',
  '`',
  '`a ``b ',
  '*',
  '*a ',
  '**a',
  '***a',
  '*a **b ~~c _d ',
  '_a ',
  '~~a',
  '*`a ',
  '`[',
  'h',
  'http://',
  'https://a(',
  'https://a*',
  '@a',
  '@a.',
  ':a',
  ':a ',
  'AB-',
  'AB-1.',
  'A_',
  '2026-',
  '12.10.',
  '- ',
  '> ',
  '! ',
  '# ',
  ' ',
  'a ',
];

/** All marks and delimiters, what references are made of, and line ends of every sort. */
const pieces: readonly string[] = [
  ...['- ', '+ ', '~ ', 'x ', '-', '+', '~', 'x', '# ', '###### ', '####### ', '#', '> ', '>', '! ', '!'],
  ...[
    ' ',
    '  ',
    '\t',
    'word',
    'w',
    '1',
    'é',
    '日',
    'prüfen',
    '.',
    ',',
    ':',
    '/',
    '\\',
    '(',
    ')',
    '[',
    ']',
    '](',
    '<',
    '"',
  ],
  ...['*', '**', '***', '****', '_', '__', '~~', '~~~', '`', '``', '```'],
  ...['[ON HOLD]', '[on  hold] ', '[ABC-1]', '[a](https://b.c)', '[~accountid:a:1]', '[~', '@bob', '@', 'a@b.c'],
  ...['https://b.c/', 'https://b.c/browse/AB-1', 'http://', 'mailto:a@b', '/browse/AB-1', 'ABC-12', 'A-1', 'AB_', '-1'],
  ...['2026-11-20', '30.02.2026', '31/12/2199', '12.10.', ':tada:', ':+1', '10:30:45'],
];
const lineEnds: readonly string[] = ['\n', '\n', '\n', '\r', '\r\n', '\n\n', '\n > ', '\n- '];
const strange: readonly string[] = ['\0', '\uFEFF', '\u2028', '\u0085', '\uD83D', '\uDE00', '😀', '\u00A0', '\u3000'];

/**
 * Any string, of up to `length` pieces. Mostly of three to six different ones, which meet in a rule's corners far oftener
 * than many do; then of all, and of any UTF-16 units.
 */
export function randomText(r: Random, length: number): string {
  const any = () => {
    const kind = r.int(20);
    if (kind === 0) return String.fromCharCode(r.int(0x10000));
    return r.pick(kind < 3 ? strange : kind < 6 ? lineEnds : pieces);
  };
  const few = Array.from({ length: r.int(4) + 3 }, any);
  const wide = r.int(4) === 0;
  return Array.from({ length: r.int(length + 1) }, () => (wide ? any() : r.pick(few))).join('');
}
