import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { ChangedMeanwhile, EditRefused, InvalidOperation, ItemsRequired } from '../../src/text/errors.ts';
import { applyOperation, operationNames, readOperation } from '../../src/text/operation.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs } from '../run/seed.ts';
import { statuses, storedText } from './arbitrary.ts';

const text = '# A\n- one\n- ask [~accountid:x] 2026-11-20\n# B\n';
const done = (operation: unknown) => applyChanges(text, applyOperation(readChecklist(text, statuses), operation));

const header = { index: 0, text: 'A' };
const one = { index: 1, text: 'one' };
const asked = { index: 2, text: 'ask [~accountid:x] 2026-11-20' };

const cases: [{ op: string; [member: string]: unknown }, string][] = [
  [{ op: 'setStatus', target: one, status: 'on_hold' }, text.replace('- one', '- [ON HOLD] one')],
  [{ op: 'toggleChecked', target: one }, text.replace('- one', '+ one')],
  [{ op: 'setMandatory', target: one, mandatory: true }, text.replace('one', '! one')],
  [{ op: 'setAssignee', target: one, assignee: 'y' }, text.replace('one', 'one [~accountid:y]')],
  [{ op: 'clearAssignee', target: asked }, text.replace(' [~accountid:x]', '')],
  [{ op: 'clearAssignee', target: asked, names: { x: 'Ana' } }, text.replace(' [~accountid:x]', '')],
  [{ op: 'setDueDate', target: asked, dueDate: '2027-01-01' }, text.replace('2026-11-20', '2027-01-01')],
  [{ op: 'clearDueDate', target: asked }, text.replace(' 2026-11-20', '')],
  [{ op: 'setGates', target: header, gates: ['Done'] }, text.replace('A', 'A !before:Done')],
  [{ op: 'setCustomers', target: header, customers: true }, text.replace('A', 'A !customers')],
  [{ op: 'rename', target: one, text: 'two' }, text.replace('one', 'two')],
  [{ op: 'setDetails', target: one, text: 'why\nhow' }, text.replace('one', 'one\n> why\n> how')],
  [{ op: 'insertRows', index: 1, text: '- zero' }, text.replace('- one', '- zero\n- one')],
  [{ op: 'insertRows', text: '- end' }, `${text}- end\n`],
  [{ op: 'deleteRow', target: one }, text.replace('- one\n', '')],
  [{ op: 'moveRows', targets: [one], index: 4 }, `${text.replace('- one\n', '')}- one\n`],
  [{ op: 'moveSection', target: header, index: 4 }, '# B\n# A\n- one\n- ask [~accountid:x] 2026-11-20\n'],
  [{ op: 'clear' }, ''],
];

test.each(cases)('%j', (operation, expected) => {
  expect(done(operation)).toBe(expected);
});

test('there is an operation for every edit', () => {
  expect(new Set(cases.map(([{ op }]) => op))).toEqual(new Set(operationNames));
});

test.each([
  ['nothing', undefined],
  ['a name alone', 'clear'],
  ['an unknown name', { op: 'explode' }],
  ['an argument that is missing', { op: 'setStatus', target: one }],
  ['an argument too many', { op: 'clear', target: one }],
  ['a target without text', { op: 'deleteRow', target: { index: 1 } }],
  ['a broken index', { op: 'insertRows', index: 1.5, text: '- a' }],
  ['an index below 0', { op: 'insertRows', index: -1, text: '- a' }],
])('%s is no operation', (_, value) => {
  expect(() => done(value)).toThrow(InvalidOperation);
});

test('an edit whose arguments do not fit says what it takes', () => {
  const message = (value: unknown) => {
    try {
      return done(value);
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };
  expect(message({ op: 'clearAssignee' })).toMatch(/^clearAssignee takes target, names \(optional\) and nothing else;/);
  expect(message({ op: 'clear', all: true })).toBe('clear takes nothing else.');
  expect(message({ op: 'toString' })).toMatch(/^This is not an edit\./);
});

test('what an edit refuses, its operation refuses', () => {
  expect(() => done({ op: 'deleteRow', target: { index: 9, text: 'gone' } })).toThrow(ChangedMeanwhile);
  expect(() => done({ op: 'toggleChecked', target: header })).toThrow(EditRefused);
  expect(() => done({ op: 'rename', target: one, text: ' ' })).toThrow(ItemsRequired);
});

test('anything at all gives changes that fit, or a typed error', () => {
  const target = fc.record({ index: fc.nat(3), text: fc.constantFrom('a', 'word', '', '> ') });
  const member = fc.oneof(fc.string(), fc.nat(5), fc.boolean(), target, fc.constant(undefined));
  const operation = fc.oneof(
    fc.anything(),
    fc.record({
      op: fc.constantFrom(...operationNames),
      ...Object.fromEntries(['target', 'status', 'text', 'index', 'assignee', 'mandatory'].map(name => [name, member])),
    }),
  );
  fc.assert(
    fc.property(storedText, operation, (source, value) => {
      try {
        const read = readOperation(value);
        applyChanges(source, applyOperation(readChecklist(source, statuses), read));
      } catch (error) {
        const typed = [InvalidOperation, ChangedMeanwhile, EditRefused, ItemsRequired];
        if (!typed.some(type => error instanceof type)) throw error;
      }
    }),
    runs(1000),
  );
});
