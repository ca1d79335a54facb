import { expect, test } from 'vitest';
import { askDay, askPerson, assignToMe, clearDay, me, unassign } from '../../../src/editor/commands/assign.ts';
import { provider } from '../../../src/editor/provider.ts';
import { run } from '../fixture.ts';

test.each([
  [askPerson, '- a| b', '- a b @|'],
  [askPerson, '- |', '- @|'],
  [askPerson, '- a| [~accountid:x] 2026-01-01', '- a @| 2026-01-01'],
  [askPerson, '- a\n> no|te', '- a @|\n> note'],
  [askDay, '- a| b', '- a b //|'],
  [askDay, '- a| 2026-01-01 [~accountid:x]', '- a //| [~accountid:x]'],
  [assignToMe, '- |a\n- b|', '- |a [~accountid:m]\n- b| [~accountid:m]'],
  [unassign, '- a| [~accountid:x]', '- a|'],
  [clearDay, '- a| 2026-01-01', '- a|'],
  [askPerson, '# A|', undefined],
  [assignToMe, '# A|', undefined],
])('%# %j', (command, before, after) => expect(run(command, before, me.of('m'))).toBe(after));

test('a person inside the sentence becomes a name where that is known', () => {
  const asked = (name?: string) => ({
    findPeople: async () => [],
    findIssues: async () => [],
    person: (accountId: string) => (name === undefined ? undefined : { accountId, name, avatar: '' }),
    issue: () => undefined,
    subscribe: () => () => undefined,
    today: () => '2026-01-01',
  });
  const text = '- ask [~accountid:x] now|';
  expect(run(unassign, text, provider.of(asked('Ana')))).toBe('- ask Ana now|');
  expect(run(unassign, text, provider.of(asked()))).toBe(text);
});
