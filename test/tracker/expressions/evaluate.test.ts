import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../src/tracker/expressions/evaluate.ts';
import { ExpressionRefused } from '../../../src/tracker/expressions/lex.ts';
import { runs } from '../../run/seed.ts';

const variables = {
  issue: { key: 'ABC-1', labels: ['a', 'b'], properties: { 'app.checklist': { total: 3, nested: { get: 'own' } } } },
  transition: { to: { name: ' Done ' } },
  user: null,
};
const context = { variables, now: Date.parse('2026-11-25T23:30:00Z'), zone: 'UTC' };
const of = (expression: string, zone = 'UTC') => evaluate(expression, { ...context, zone });

test.each([
  ["'it\\'s \\\\ \\n' + 1", "it's \\ \n1"],
  ['1 + 2 * 3 - 4 / 2', 5],
  ["!('' || 0) && 2 > 1", true],
  ['null ?? 1', 1],
  ["issue.labels.map(x => x + '!').join(', ')", 'a!, b!'],
  ["issue['key']", 'ABC-1'],
  ["issue.properties['app.checklist']?.total", 3],
  ["issue.properties['other']?.total", null],
  ["issue.properties['app.checklist'].nested.get", 'own'],
  ["issue.key?.rules?.['x'] ?? 'none'", 'none'],
  ['typeof issue.labels', 'List'],
  ['typeof nothing', 'undefined'],
  ["[1, 2, 3].filter(x => x > 1).every(x => typeof x == 'Number') ? 'yes' : 'no'", 'yes'],
  ['let f = (a, b) => a + b; let c = 1; f(c, 2)', 3],
  ['[1, 2, 3].slice(-1)?.[0]', 3],
  ['[]?.[0]', null],
  ["'1' == 1", false],
  ['[1, [2]] == [1, [2]]', true],
  ["transition.to.name.trim().toLowerCase().split('o')", ['d', 'ne']],
  ["Number('12') + 1", 13],
  ["new Date('2026-11-25T00:00:00Z') < new Date()", true],
])('%s', (expression, value) => {
  expect(of(expression)).toEqual(value);
});

test('a day is the one of the user', () => {
  const day = 'new Date().toCalendarDate().toISOString()';
  expect(of(day)).toBe('2026-11-25');
  expect(of(day, 'Asia/Tokyo')).toBe('2026-11-26');
});

describe('what the documentation does not know is refused', () => {
  test.each([
    ['', 'the end'],
    ['a ? b', 'the end'],
    ['issue.key.startsWith("A")', 'String has no startsWith'],
    ['issue.labels.find(x => true)', 'List has no find'],
    ["issue.key.constructor('return 1')", 'String has no constructor'],
    ["issue.key['__proto__']", 'String has no __proto__'],
    ['Math.max(1, 2)', 'Unknown variable Math'],
    ['globalThis', 'Unknown variable globalThis'],
    ['user.accountId', 'null has no accountId'],
    ["'a' < 'b'", "Can't compare"],
    ["1 < 'b'", "Can't compare"],
    ['null >= 1', "Can't compare"],
    ['true - 1', "Can't calculate"],
    ['new Issue(1)', 'new Issue'],
    ['issue = 1', 'Unexpected ='],
    ['function x() {}', 'Unexpected function'],
    ['let issue = 1; issue', 'exists'],
    ['"open', 'Unexpected character'],
    ['a #', 'Unexpected character'],
    [`'${'x'.repeat(1000)}'`, 'too long'],
    [`[${'1,'.repeat(100)}1]`, 'too many nodes'],
    ['let f = x => x(x); f(f)', 'steps'],
  ])('%s', (expression, problem) => {
    expect(() => of(expression)).toThrow(ExpressionRefused);
    expect(() => of(expression)).toThrow(problem);
  });
});

test('any text is evaluated or refused', () => {
  const pieces = [
    "'a'",
    'issue',
    '.key',
    '?.',
    '[',
    ']',
    '(',
    ')',
    '=>',
    'x',
    ' ',
    '1',
    '+',
    '==',
    '?',
    ':',
    'let ',
    ';',
    '\\',
  ];
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 12 }),
      parts => {
        try {
          of(parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionRefused);
        }
      },
    ),
    runs(2000),
  );
});
