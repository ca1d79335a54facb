import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inlineOf, inlineOfDetails, type Segment } from '../../src/text/inline.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs } from '../run/seed.ts';
import { anyText, statuses } from './arbitrary.ts';

const segments = (text: string) => inlineOf(readChecklist(text, statuses), 0);

test('a line is shown without its head and markup', () => {
  expect(segments('- [ON HOLD] ! a **b *c*** `d` ~~e~~  ')).toEqual([
    { type: 'text', text: 'a ' },
    {
      type: 'bold',
      text: 'b c',
      children: [
        { type: 'text', text: 'b ' },
        { type: 'italic', text: 'c', children: [{ type: 'text', text: 'c' }] },
      ],
    },
    { type: 'text', text: ' ' },
    { type: 'code', text: 'd' },
    { type: 'text', text: ' ' },
    { type: 'strike', text: 'e', children: [{ type: 'text', text: 'e' }] },
  ]);
});

test('references have their values', () => {
  expect(segments('ABC-1 [~accountid:x:1] @bob 20/11/2026 :tada:').filter(({ type }) => type !== 'text')).toEqual([
    { type: 'issueKey', text: 'ABC-1', value: 'ABC-1' },
    { type: 'mention', text: '[~accountid:x:1]', value: 'x:1' },
    { type: 'mentionName', text: '@bob', value: 'bob' },
    { type: 'date', text: '20/11/2026', value: '2026-11-20' },
    { type: 'emoji', text: ':tada:', value: 'tada' },
  ]);
});

test('addresses', () => {
  expect(
    segments('[a **ABC-1**](https://b.c) https://d.e https://f.g/browse/ABC-2?h=i').filter(s => s.type !== 'text'),
  ).toEqual([
    {
      type: 'link',
      text: 'a ABC-1',
      href: 'https://b.c',
      children: [
        { type: 'text', text: 'a ' },
        { type: 'bold', text: 'ABC-1', children: [{ type: 'text', text: 'ABC-1' }] },
      ],
    },
    { type: 'url', text: 'https://d.e', href: 'https://d.e' },
    { type: 'issueUrl', text: 'https://f.g/browse/ABC-2?h=i', href: 'https://f.g/browse/ABC-2?h=i', value: 'ABC-2' },
  ]);
});

test('a label that names no status is text, with what it holds', () => {
  expect(segments('- [ABC-12] Fix')).toEqual([
    { type: 'text', text: '[' },
    { type: 'issueKey', text: 'ABC-12', value: 'ABC-12' },
    { type: 'text', text: '] Fix' },
  ]);
});

test('details are shown line by line', () => {
  expect(inlineOfDetails(readChecklist('- a\n> `b`\n>\n> c'), 0)).toEqual([
    [{ type: 'code', text: 'b' }],
    [],
    [{ type: 'text', text: 'c' }],
  ]);
});

const inside = (list: readonly Segment[]): Segment[] =>
  list.flatMap(segment => [segment, ...('children' in segment ? inside(segment.children) : [])]);

test('no address but of the web or mail ever comes out, and plain text comes out whole', () => {
  const wicked = fc.constantFrom(
    '[a](javascript:alert(1))',
    '[b](data:text/html,x)',
    '[c](JaVaScRiPt:d)',
    '[e](mailto:f)',
  );
  fc.assert(
    fc.property(anyText, wicked, anyText, (a, link, b) => {
      const checklist = readChecklist(`${a}${link}${b}`, statuses);
      checklist.rows.forEach((row, index) => {
        const shown = [inlineOf(checklist, index), ...inlineOfDetails(checklist, index)];
        for (const segment of inside(shown.flat())) {
          if ('href' in segment) expect(segment.href).toMatch(/^(https?:\/\/|mailto:)\S+$/i);
        }
        const line = shown.at(0);
        if (line?.every(({ type }) => type === 'text')) expect(line.map(({ text }) => text).join('')).toBe(row.text);
      });
    }),
    runs(3000),
  );
});
