import { expect, test } from 'vitest';
import { marked, nodesOf, strict } from './trees.ts';

const bold = (text: string) => `{Bold:{EmphasisMark:**}${text}{EmphasisMark:**}}`;
const italic = (text: string, mark = '*') => `{Italic:{EmphasisMark:${mark}}${text}{EmphasisMark:${mark}}}`;
const strike = (text: string) => `{Strike:{EmphasisMark:~~}${text}{EmphasisMark:~~}}`;
const code = (text: string) => `{Code:${text}}`;
const link = (label: string, target: string) => `{Link:{LinkBracket:[}${label}{LinkTarget:](${target})}}`;
const url = (text: string) => `{Url:${text}}`;
const issue = (text: string) => `{IssueUrl:${text}}`;
const key = (text: string) => `{IssueKey:${text}}`;
const name = (text: string) => `{MentionName:${text}}`;
const date = (text: string) => `{DateRef:${text}}`;
const emoji = (text: string) => `{Emoji:${text}}`;
const mention = (id: string) => `{Mention:[~accountid:${id}]}`;

/** One plain item's text. */
const texts = {
  emphasis: [
    `a ${bold('b')} c ${italic('d')} ${italic('e', '_')} ${strike('f')} ${code('`g`')} ${code('``h`i``')}`,
    bold(italic('x')),
    italic(`${bold('a')} b`),
    bold(`${italic('a')} b`),
    italic(`a ${bold('b')}`),
    bold(`a ${italic('b')}`),
    `${bold('a ')}`.replace('a ', 'a'),
    'a ** b ** c',
    '2 ** 3 ** 4',
    `${bold('a *b')} c*`,
    `${bold('x ~~y')}~~`,
    `a_b_c __d__ ${italic('e', '_')}_f`.replace('_f', ' f_'),
    '**** ~~~~ ***',
    '**a',
    '**a\n**',
    'a** b',
    `*a ${italic('b')} c*`,
    `**${'a '.repeat(3)}`,
    `${italic('见**b')}`.replace('**', ''),
    `${code('`*a`')} b* ${bold(`c ${code('`**`')} d`)}`,
    '`a',
    `${'```a```'}`,
  ],
  links: [
    `see ${link('the docs', 'https://a.b/c_(d)')}.`,
    link(`${bold('b')} ${code('`]`')}`, 'mailto:a@b.c'),
    `[a](javascript:alert(1)) [b](data:x) [c](//a.b) [d](ftp://a.b)`,
    `[a](https://)`,
    `[a] ${link('b', 'http://c.d')}`,
    `[](${url('https://a.b')})`,
    link('a https', 'HTTPS://A.B'),
    `${bold(link('a', 'https://b.c/**'))}`,
    `[a [b](c)`,
  ],
  urls: [
    `${url('https://a.b/c?d=e#f')}, ${url('http://a.b')}. (${url('https://a.b/c_(d)')}) ${url('https://a.b')}!?`,
    `${url('https://a.b/x[]=1')} <${url('https://a.b')}> xhttps://a.b https:// ftp://a.b`,
    bold(`see ${url('https://a.b')}`),
    strike(url('https://a.b')),
    `${url('https://a.b/ABC-1/2026-11-20/@bob:tada:c')}`,
    `${issue('https://a.b/browse/ABC-12')} ${issue('https://a.b/c/browse/ABC-12?d=e')}; ${issue('https://a.b/browse/A_1-2#c')}`,
    `${url('https://a.b/browse/ABC-12/c')} ${url('https://a.b/browse/A-1')} ${url('https://browse/ABC-1')}`,
  ],
  keys: [
    `${key('ABC-12')}, (${key('A1_B-3')}) ${key('AB-1')}. ${key('UTF-8')}`,
    'XABC-12y A-1 UTF-8x AB-0 AB-01 a/AB-1 AB-1/c AB-1-x Ab-1 1AB-1',
    `日本${key('AB-1')}語 éAB-1`,
  ],
  people: [
    `${mention('5b10:a-c_d')} ${name('@bob')} ${name('@bob.smith')}. (${name('@b-c')}) bob@mail.com @1 @ ${name('@éva')}`,
    `[~accountid:] [~accountid:a b] [~bob] [~accountid:${'a'.repeat(129)}] ${mention('a'.repeat(128))}`,
  ],
  dates: [
    `${date('2026-11-20')} ${date('20/11/2026')} ${date('20.11.2026')}. ${date('2026/11/20')}, (${date('20-11-2026')})`,
    `${date('2024-02-29')} 2023-02-29 30.02.2026 31/04/2026 ${date('31.12.2199')} ${date('01.01.1900')} 01.01.1899 2200-01-01`,
    '2026-11/20 2024.1.3 12.10.20201 112.10.2020 1.12.10.2020 2026-13-01 00.00.0000 a/2026-11-20 2026-11-20/a 2026-11-20T10:00',
  ],
  emoji: [
    `${emoji(':tada:')} ${emoji(':+1:')}${emoji(':-1:')} (${emoji(':a_b:')})`,
    'a:tada: :tada:b 10:30:45 :a b: :: ::: https:',
  ],
};

const cases = Object.entries(texts).flatMap(([area, sources]) => sources.map(source => [area, source] as const));

test.each(cases)('%s: %s', (_, source) => {
  const rows = source.split('\n').map(line => `{Item:${line}`);
  const { text, nodes } = marked(`${rows.join('\n}')}}`);
  expect(nodesOf(strict.parse(text))).toEqual([`Checklist 0-${text.length}`, ...nodes]);
});

test('headers, details and labels hold the same as items', () => {
  const source = `{Header:{HeaderMark:#} ${bold('a')}\n{Details:{DetailsMark:>} ${key('AB-1')}\n}}`;
  const { text, nodes } = marked(source);
  expect(nodesOf(strict.parse(text)).slice(1)).toEqual(nodes);
});
