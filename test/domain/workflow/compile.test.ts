import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRule } from '../../../src/domain/workflow/compile.ts';
import { EXPRESSION_MAX, expressionSize, fitsTracker, literal } from '../../../src/domain/workflow/expression.ts';
import { hasCondition, newRule, type RuleOptions, readRule } from '../../../src/domain/workflow/options.ts';
import { progressOf } from '../../../src/text/progress.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { evaluate } from '../../../src/tracker/expressions/evaluate.ts';
import { runs } from '../../run/seed.ts';
import { anyText, statuses } from '../../text/arbitrary.ts';
import { propertyOf, said } from './cases.ts';

const names = fc.array(
  fc.oneof(
    fc.constantFrom('Release', "it's", 'a\\', "'", 'a"b', '`x`', 'get', '__proto__', 'ON  hold'),
    fc.string({ minLength: 1, maxLength: 20 }),
  ),
  { maxLength: 2 },
);
const decision = fc.constantFrom('pass' as const, 'refuse' as const);
const anyOptions = fc
  .record({
    mandatory: fc.boolean(),
    all: fc.boolean(),
    sections: names,
    percent: fc.option(fc.integer({ min: 1, max: 100 })),
    statuses: names,
    overdue: fc.boolean(),
    gates: fc.boolean(),
    skippedDone: fc.boolean(),
    without: decision,
    unreadable: decision,
    gone: decision,
  })
  .map(options => readRule({ v: 1, ...options }))
  .filter((options): options is RuleOptions => options !== undefined)
  .filter(options => hasCondition(options) && fitsTracker(compileRule(options, 'validator')));
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.record({ rules: fc.jsonValue() }),
  fc.record({
    rules: fc.dictionary(
      fc.constantFrom('total', 'percent', 'all', 'mandatory', 'sections', 'due', 'gates', 'strict', 'statuses'),
      fc.jsonValue(),
    ),
  }),
  anyText.map(propertyOf),
);

describe('what is refused', () => {
  test('names what is open', () => {
    const property = propertyOf('- ! Approved by security\n- ! Load test\n- also');
    expect(said({ mandatory: true }, property)).toBe('2 mandatory items are open: Approved by security, Load test');
  });

  test('has a sentence for each condition that does not hold', () => {
    const property = propertyOf('- ! Approved 2026-11-24\n- [ON HOLD] Tested');
    expect(said({ mandatory: true, percent: 50, statuses: ['on  hold'], overdue: true }, property)).toBe(
      '1 mandatory item is open: Approved. At least 50% of the items must be done. 2 items are open: Approved, Tested. ' +
        '1 item is in the status “ON HOLD”: Tested. 1 item is overdue: Approved',
    );
  });

  test('a condition has no words', () => {
    expect(said({ mandatory: true }, propertyOf('- ! a'), 'condition')).toBe(false);
    expect(said({ mandatory: true }, propertyOf('+ ! a'), 'condition')).toBe(true);
  });
});

test('a property that is older than a status passes: no item has that status', () => {
  const property = propertyOf('- [ON HOLD] a');
  for (const gone of ['pass', 'refuse'] as const) {
    expect(said({ statuses: ['Blocked'], gone }, property)).toBe(true);
    expect(said({ statuses: ['Blocked', 'On hold'], gone }, property)).toBe('1 item is in the status “ON HOLD”: a');
  }
});

test('a validator and a condition decide alike, and never fail, whatever the property holds', () => {
  fc.assert(
    fc.property(anyOptions, anyValue, (options, value) => {
      const spoken = said(options, value);
      const decided = said(options, value, 'condition');
      expect([true, false]).toContain(decided);
      expect(spoken === true).toBe(decided);
      if (spoken !== true) expect(spoken).toMatch(/\S/);
    }),
    runs(3000),
  );
});

test('decides by the rows of the checklist', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 100 }), (text, percent) => {
      const { rows } = readChecklist(text, statuses);
      const progress = progressOf(rows);
      const property = propertyOf(text);
      const isNone = progress.total === 0;
      expect(said({ all: true }, property) === true).toBe(isNone || progress.checked === progress.total);
      expect(said({ mandatory: true }, property) === true).toBe(progress.mandatoryOpen === 0);
      expect(said({ percent }, property) === true).toBe(isNone || progress.percent >= percent);
      const used = rows.some(row => row.kind === 'checkbox' && row.status.name === 'ON HOLD');
      expect(said({ statuses: ['On hold'] }, property) === true).toBe(!used);
    }),
    runs(1000),
  );
});

test('a text stays one literal', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        names.map(parts => parts.join(' ')),
      ),
      text => {
        const value = evaluate(literal(text.slice(0, 400)), { variables: {}, now: 0, zone: 'UTC' });
        expect(value).toBe(text.slice(0, 400).replace(/[\r\n\u2028\u2029]+/g, ' '));
      },
    ),
    runs(1000),
  );
});

test('all conditions at once are no longer than the tracker allows', () => {
  const every: RuleOptions = {
    ...newRule,
    ...{
      mandatory: true,
      all: true,
      sections: ['Release'],
      percent: 80,
      statuses: ['On hold'],
      overdue: true,
      gates: true,
    },
    ...{ skippedDone: false, without: 'refuse', unreadable: 'refuse', gone: 'refuse' },
  };
  const { characters, leaves } = expressionSize(compileRule(every, 'validator'));
  expect(characters).toBeLessThanOrEqual(EXPRESSION_MAX.characters);
  expect(leaves).toBeLessThanOrEqual(EXPRESSION_MAX.leaves);
  const longer = { ...every, sections: Array.from({ length: 10 }, (_, i) => `Section number ${i}`) };
  expect(fitsTracker(compileRule(longer, 'validator'))).toBe(false);
});
