import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RegistryStatus } from '../../src/domain/statuses.ts';
import { applyChanges } from '../../src/text/document.ts';
import { relabel } from '../../src/text/edits/relabel.ts';
import { readChecklist } from '../../src/text/read.ts';
import { registryOf } from '../../src/text/registry.ts';
import { anyText } from './arbitrary.ts';

const entry = (slug: string, name: string, more: Partial<RegistryStatus> = {}): RegistryStatus => ({
  slug,
  name,
  checked: false,
  color: 'red',
  former: [],
  going: false,
  ...more,
});

test('built-in statuses take name, colour and place, and keep their flag', () => {
  const registry = registryOf([entry('hold', 'On hold'), entry('done', 'Finished', { color: 'blue', checked: false })]);
  expect(registry.list.map(({ slug }) => slug)).toEqual(['todo', 'in_progress', 'skipped', 'hold', 'done']);
  expect(registry.bySlug('done')).toEqual({ slug: 'done', name: 'Finished', checked: true, color: 'blue' });
  expect(registry.byName('Finished')).toBeUndefined();
});

test('a former name is read until another status bears it', () => {
  const hold = entry('hold', 'Waiting', { former: ['On hold', 'Paused'] });
  expect(registryOf([hold]).byName('ON  HOLD')?.slug).toBe('hold');
  const taken = registryOf([hold, entry('other', 'On hold')]);
  expect(taken.byName('on hold')?.slug).toBe('other');
  expect(taken.byName('paused')?.slug).toBe('hold');
});

test('what is going is read and not offered', () => {
  const registry = registryOf([entry('hold', 'On hold', { going: true })]);
  expect(registry.byName('on hold')?.slug).toBe('hold');
  expect(registry.bySlug('hold')).toBeUndefined();
  expect(registry.list).toHaveLength(4);
});

const after = (text: string, entries: RegistryStatus[], moves: [string, string][] = []) => {
  const checklist = readChecklist(text, registryOf(entries));
  return applyChanges(text, relabel(checklist, new Map(moves)));
};

test.each([
  ['- [On hold] a\n+ b', '- [Waiting] a\n+ b'],
  ['  -  [on  hold]  ! a  \n> [On hold] detail', '  -  [Waiting] ! a  \n> [On hold] detail'],
  ['+ [On hold] the sign follows the flag', '- [Waiting] the sign follows the flag'],
  ['- [unknown] a\n# [On hold] header\n[On hold] plain', '- [unknown] a\n# [On hold] header\n[On hold] plain'],
])('renamed: %j', (text, expected) => {
  expect(after(text, [entry('hold', 'Waiting', { former: ['On hold'] })])).toBe(expected);
});

test('moved where a status goes, unless the text would be read as another one then', () => {
  const entries = [entry('hold', 'On hold', { going: true }), entry('qa', 'QA', { checked: true })];
  expect(after('- [On hold] a\n- [On hold] ! b', entries, [['hold', 'done']])).toBe('+ a\n+ ! b');
  expect(after('- [On hold] a', entries, [['hold', 'qa']])).toBe('+ [QA] a');
  expect(after('- [On hold] [QA] a', entries, [['hold', 'todo']])).toBe('- [On hold] [QA] a');
});

test('writing names again changes nothing more, and no item but in its status', () => {
  const entries = [
    entry('a', 'One', { former: ['ON HOLD'] }),
    entry('b', 'QA FAILED', { going: true, checked: true }),
    entry('c', 'Two', { former: ['x'], checked: true }),
  ];
  const registry = registryOf(entries);
  const moves = new Map([['b', 'c']]);
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fc
          .array(fc.constantFrom('- [ON HOLD] a', '+ [qa failed] ! b', '~ [x] c', '- [x] d', '> e'))
          .map(lines => lines.join('\n')),
      ),
      before => {
        const checklist = readChecklist(before, registry);
        const now = applyChanges(before, relabel(checklist, moves));
        const read = readChecklist(now, registry);
        expect(applyChanges(now, relabel(read, moves))).toBe(now);
        expect(read.rows.map(({ text }) => text)).toEqual(checklist.rows.map(({ text }) => text));
      },
    ),
  );
});
