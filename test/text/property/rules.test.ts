import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OpenItems, RuleData } from '../../../src/domain/workflow/data.ts';
import { progressOf, sections } from '../../../src/text/progress.ts';
import { openGates, ruleCounts, ruleData } from '../../../src/text/property/rules.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { runs } from '../../run/seed.ts';
import { anyText, statuses } from '../arbitrary.ts';

const read = (text: string) => readChecklist(text, statuses);
const dataOf = (text: string) => ruleData(read(text), Number.POSITIVE_INFINITY);

/** All sentences of the data. */
const sentencesOf = ({ all, mandatory, sections, gates, ...rest }: OpenItems & Partial<RuleData>): string[] => [
  ...[all, mandatory, ...Object.values(sections), ...Object.values(gates)],
  ...Object.values(rest.statuses ?? {}),
  ...(rest.due ?? []).map(({ t }) => t),
  ...(rest.strict ? sentencesOf(rest.strict) : []),
];

test('each group has a sentence that counts and names its open items', () => {
  const data = dataOf(`- ! Approved by **security** [~accountid:s]
# Build
+ Compiled
- Tested 2026-11-20
~ [Docs](https://d.example/) written [~accountid:a] 20/11/2026
## Details
- ! Load test 2026-11-01
- [ON HOLD] Reviewed
# Release
x Announced
+ [Released] Shipped`);
  expect(data).toEqual({
    total: 8,
    percent: 37,
    mandatory: '2 mandatory items are open: Approved by security, Load test',
    all: '5 items are open: Approved by security, Tested, Docs written and 2 more',
    gates: {},
    sections: {
      ':build': '4 items are open in the section “Build”: Tested, Docs written, Load test and 1 more',
      ':details': '2 items are open in the section “Details”: Load test, Reviewed',
      ':release': '',
    },
    statuses: {
      ':to do': '3 items are in the status “To Do”: Approved by security, Tested, Load test',
      ':in progress': '1 item is in the status “In Progress”: Docs written',
      ':done': '1 item is in the status “Done”: Compiled',
      ':skipped': '1 item is in the status “Skipped”: Announced',
      ':on hold': '1 item is in the status “ON HOLD”: Reviewed',
      ':released': '1 item is in the status “Released”: Shipped',
    },
    due: [
      { d: 20261101, t: '1 item is overdue: Load test' },
      { d: 20261120, t: '3 items are overdue: Load test, Tested, Docs written' },
    ],
    strict: {
      percent: 25,
      mandatory: '2 mandatory items are open: Approved by security, Load test',
      all: '6 items are open: Approved by security, Tested, Docs written and 3 more',
      gates: {},
      sections: {
        ':build': '4 items are open in the section “Build”: Tested, Docs written, Load test and 1 more',
        ':details': '2 items are open in the section “Details”: Load test, Reviewed',
        ':release': '1 item is open in the section “Release”: Announced',
      },
    },
  });
});

test('long words are cut, an item without words has a name, sections of one name are one', () => {
  const { all, sections } = dataOf(`# Twice\n- ${'word '.repeat(20)}\n# twice  \n-\n# constructor\n# __proto__\n- x`);
  expect(all).toBe(`3 items are open: ${'word '.repeat(7)}word…, Item without text, x`);
  expect(sections[':twice']).toContain('2 items are open in the section “Twice”');
  expect(Object.keys(sections)).toEqual([':twice', ':constructor', ':__proto__']);
});

test('a sentence is empty exactly where nothing of the group is open', () => {
  fc.assert(
    fc.property(anyText, text => {
      const checklist = read(text);
      const data = ruleCounts(checklist);
      const { total, checked, percent, mandatoryOpen } = progressOf(checklist.rows);
      expect(data.total).toBe(total);
      expect(data.percent).toBe(percent);
      expect(data.all === '').toBe(total === checked);
      expect(data.mandatory === '').toBe(mandatoryOpen === 0);
      const open = sections(checklist).some(({ progress }) => progress.checked < progress.total);
      expect(Object.values(data.sections).some(said => said !== '')).toBe(open);
      const isSkipped = checklist.rows.some(row => row.kind === 'checkbox' && row.status.slug === 'skipped');
      expect(data.strict !== undefined).toBe(isSkipped);
      expect(data.due.map(({ d }) => d)).toEqual([...data.due.map(({ d }) => d)].sort((a, b) => a - b));
    }),
    runs(2000),
  );
});

test('names take no more room than there is, and change no decision', () => {
  fc.assert(
    fc.property(anyText, fc.nat(300), (text, room) => {
      const checklist = read(text);
      const counts = ruleCounts(checklist);
      const data = ruleData(checklist, room);
      expect(JSON.stringify(data).length - JSON.stringify(counts).length).toBeLessThanOrEqual(room);
      const [bare, named] = [sentencesOf(counts), sentencesOf(data)];
      expect(named.map((said, i) => said.startsWith(bare[i] ?? 'none'))).toEqual(named.map(() => true));
      expect(named.map(said => said === '')).toEqual(bare.map(said => said === ''));
      expect(ruleData(checklist, 0)).toEqual(counts);
    }),
    runs(1000),
  );
});

test('a gate names what is open in all sections that it marks, once each', () => {
  const text = `# Review !before:Done !before:[Ready for release] !customers
- Read
## Security !before:done
- ! Audit
# Release !before:[ready  for Release]
x Announce
# Later !before:Closed
+ Archive`;
  const data = dataOf(text);
  expect(data.gates).toEqual({
    ':done': '2 items are open in sections before Done: Read, Audit',
    ':ready for release': '2 items are open in sections before Ready for release: Read, Audit',
    ':closed': '',
  });
  expect(data.strict?.gates[':ready for release']).toBe(
    '3 items are open in sections before Ready for release: Read, Audit, Announce',
  );
  expect(Object.keys(data.sections)).toEqual([':review', ':security', ':release', ':later']);
  expect(openGates(read(text))).toEqual(['Done', 'Ready for release']);
});
