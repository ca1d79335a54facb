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

/** A checklist of so many lines in which everything that the language has occurs, each line end LF. */
export function mixedText(lines: number, seed: number): string {
  const r = random(seed);
  return Array.from({ length: lines }, () => row(r)).join('\n');
}

/** Patterns that tempt a parser to look ahead again and again; a line repeats one of them. */
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
