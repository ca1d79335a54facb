import { expect, test } from 'vitest';
import { parser } from '../../../grammar/parser.ts';
import { convert } from '../../../src/text/convert.ts';
import { diagnose, fixesOf } from '../../../src/text/diagnose.ts';
import { exportChecklist } from '../../../src/text/export.ts';
import { merge } from '../../../src/text/merge.ts';
import { readChecklist } from '../../../src/text/read.ts';
import cases from './cases.json' with { type: 'json' };

/** The nodes of a text's tree that hold text, as `Name:text`. */
function nodesOf(text: string): string[] {
  const nodes: string[] = [];
  parser.parse(text).iterate({ enter: ({ name, from, to }) => void nodes.push(`${name}:${text.slice(from, to)}`) });
  return nodes;
}

interface Case {
  id: string;
  kind: string;
  input: string;
  expected: string;
  from?: string;
  alsoAccepted?: readonly string[];
  /** What a text has to hold that is none of those expected, as they say one of several right ways. */
  mustContain?: readonly string[];
  mustNotContain?: readonly string[];
}

const all = cases as unknown as readonly Case[];
const input = (id: string) => all.find(one => one.id === id)?.input ?? '';
const of = (kind: string) => all.filter(one => one.kind === kind);

test.each(of('convert'))(
  '$id',
  ({ from, input, expected, alsoAccepted = [], mustContain = [], mustNotContain = [] }) => {
    const { text, notation } = convert(input, from as never);
    for (const part of mustContain) expect(text).toContain(part);
    for (const part of mustNotContain) expect(text).not.toContain(part);
    if (!expected.includes('…') && mustContain.length === 0)
      expect([expected, ...alsoAccepted], `${notation}: ${text}`).toContain(text);
  },
);
test.each(of('export'))('$id', ({ input, expected }) => {
  expect(exportChecklist(readChecklist(input), 'wiki')).toBe(expected);
});
test.each(of('parse'))('$id', ({ input, expected }) => {
  const nodes = nodesOf(input);
  for (const node of expected.split(' ')) if (node !== '…') expect(nodes).toContain(node);
});
test.each(of('merge'))('$id', ({ input, expected, alsoAccepted }) => {
  const { base, mine, theirs } = JSON.parse(input);
  const result = merge(base, mine, theirs);
  expect([expected, ...(alsoAccepted ?? [])]).toContain(result.text);
});

test('h01', () => {
  const checklist = readChecklist(input('h01'));
  const fixes = diagnose(checklist).map(finding => fixesOf(checklist, finding).map(({ title }) => title));
  expect(fixes).toEqual([['Change to + a'], ['Change to - b']]);
});

test('h02', () => {
  expect(diagnose(readChecklist(input('h02')))).toMatchObject([{ line: 2, code: 'DUPLICATE_ITEM' }]);
});
