import { compileRule } from '../../../src/domain/workflow/compile.ts';
import { newRule, type RuleKind, type RuleOptions } from '../../../src/domain/workflow/options.ts';
import { ruleData } from '../../../src/text/property/rules.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { evaluate } from '../../../src/tracker/expressions/evaluate.ts';
import { statuses } from '../../text/arbitrary.ts';

export const KEY = 'app.checklist';
const now = Date.parse('2026-11-25T12:00:00Z');

/** A property as the server writes it. */
export const propertyOf = (text: string) => ({
  v: 1,
  text,
  rules: ruleData(readChecklist(text, statuses), Number.POSITIVE_INFINITY),
});

/** What the tracker says of an issue on a transition to a status. */
export function said(
  options: Partial<RuleOptions>,
  property: unknown,
  kind: RuleKind = 'validator',
  to = 'Done',
): unknown {
  const expression = compileRule({ ...newRule, mandatory: false, gates: false, ...options }, kind, KEY);
  const properties = property === undefined ? {} : { [KEY]: property };
  const variables = { issue: { properties }, transition: { to: { name: to } } };
  return evaluate(expression, { variables, now, zone: 'UTC' });
}

/** Rules of the table, by their words. */
export const rules: Readonly<Record<string, Partial<RuleOptions>>> = {
  'all mandatory items': { mandatory: true },
  'all items': { all: true },
  'all items, skipped ones are open': { all: true, skippedDone: false },
  'items of the section “Release”': { sections: ['Release'] },
  'items of “Release”, a gone one passes': { sections: ['Release'], gone: 'pass' },
  'at least 80%': { percent: 80 },
  'no item in the status “On hold”': { statuses: ['On hold'] },
  'no item in a status that the property does not name': { statuses: ['Waiting'] },
  'no overdue item': { overdue: true },
  'sections marked before the target status': { gates: true },
  'mandatory items, 80%, nothing overdue': { mandatory: true, percent: 80, overdue: true },
  'all items, no checklist and unreadable ones: pass and refuse': { all: true, without: 'pass', unreadable: 'refuse' },
  'all items, no checklist and unreadable ones: refuse and pass': { all: true, without: 'refuse', unreadable: 'pass' },
};

/** Cases of the table: the issue property, by what is in it. */
export const cases: Readonly<Record<string, unknown>> = {
  'no checklist': undefined,
  'an emptied checklist': propertyOf(''),
  'all done': propertyOf('+ ! Approved\n# Release !before:Done\n+ Shipped'),
  'all done or skipped': propertyOf('+ ! Approved\n# Release !before:Done\nx Shipped'),
  'one mandatory item open, overdue': propertyOf('- ! Approved 2026-11-24\n# Release !before:Done\n+ Shipped'),
  'seven open, due today': propertyOf(
    `${[1, 2, 3, 4, 5, 6].map(i => `- ! Step ${i} 2026-11-25`).join('\n')}\n# Release !before:Done\n~ Shipped\n+ Told`,
  ),
  'on hold, without the section': propertyOf('- [ON HOLD] Approved\n+ Shipped\n+ Told\n+ Done\n+ Closed'),
  "plain text of another app's": '- ! Approved',
  "another app's value": { v: 1, rules: ['none'], items: 3 },
};

const cell = (value: unknown) => (value === true ? 'passes' : String(value).replaceAll('|', '\\|'));

/** The table of rules and cases, as Markdown. */
export function table(): string {
  return Object.entries(cases)
    .map(([state, property]) => {
      const rows = Object.entries(rules).map(([words, options]) => `| ${words} | ${cell(said(options, property))} |`);
      return [`**${state}**`, '', '| Rule | The tracker says |', '| --- | --- |', ...rows].join('\n');
    })
    .join('\n\n');
}
