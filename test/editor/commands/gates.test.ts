import { expect, test } from 'vitest';
import {
  askGate,
  clearGates,
  hasGates,
  inSection,
  isForCustomers,
  toggleCustomers,
} from '../../../src/editor/commands/gates.ts';
import { run, stateOf } from '../fixture.ts';

test.each([
  [askGate, '# A|\n- b', '# A !before:|\n- b'],
  [askGate, '# A !customers\n- b\n> c|', '# A !customers !before:|\n- b\n> c'],
  [askGate, '# |', '# !before:|'],
  [askGate, '- a|', undefined],
  [clearGates, '# A !before:[In review] !customers\n- b|', '# A !customers\n- b|'],
  [clearGates, '- b|', undefined],
  [toggleCustomers, '# A\n- b|\n# C', '# A !customers\n- b|\n# C'],
  [toggleCustomers, '# A !customers|', '# A|'],
  [toggleCustomers, '- b|', undefined],
])('%# %j', (command, before, after) => expect(run(command, before)).toBe(after));

test('what is on is that of the section with the cursor', () => {
  const first = stateOf('# A !before:Done !customers\n- b|\n# C');
  expect([inSection, hasGates, isForCustomers].map(is => is(first))).toEqual([true, true, true]);
  const second = stateOf('# A !before:Done !customers\n- b\n# C|');
  expect([inSection, hasGates, isForCustomers].map(is => is(second))).toEqual([true, false, false]);
  expect(inSection(stateOf('- b|\n# C'))).toBe(false);
});
