import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventsBetween, type IdentifiedRows, noticesOf } from '../../../../src/server/checklists/decide/row-events.ts';
import { callsFor } from '../../../../src/server/checklists/decide/webhook-calls.ts';
import { readChecklist } from '../../../../src/text/read.ts';
import { builtIn } from '../../../../src/text/status-registry.ts';
import { runs } from '../../../run/seed.ts';

/** Rows of a text, with ids by their first letter. */
const rowsOf = (text: string): IdentifiedRows => {
  const { rows } = readChecklist(text, builtIn);
  return { rows, ids: rows.map(row => row.text.charAt(0)) };
};
const between = (before: string, after: string) => eventsBetween(rowsOf(before), rowsOf(after));
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('an item is completed and reopened by its status', () => {
  const done = between('# S\n- a\n- b', '# S\n+ a\n- b');
  expect(idsOf(done.completed)).toEqual(['a']);
  expect(done.completed[0]).toMatchObject({ index: 1, section: 'S' });
  expect(done).toMatchObject({ reopened: [], isCompleted: false, progress: { checked: 1, total: 2 } });
  expect(between('# S !before:Done\n- a', '# S !before:Done\n+ a').completed[0]).toMatchObject({ section: 'S' });
  expect(idsOf(between('+ a', '~ a').reopened)).toEqual(['a']);
  // A skipped item counts as done.
  expect(between('- a\n+ b', 'x a\n+ b').isCompleted).toBe(true);
});

test('a checklist is completed by the last open item, also by its deletion, and only once', () => {
  expect(between('- a\n+ b', '+ a\n+ b').isCompleted).toBe(true);
  expect(between('- a\n+ b', '+ b')).toMatchObject({ isCompleted: true, removed: ['a'] });
  expect(between('+ a', '+ a\n+ b').isCompleted).toBe(false);
  expect(between('- a', '').isCompleted).toBe(false);
});

test('a moved item is not changed, and a reworded or new one is', () => {
  const { changed, removed } = between('- a\n- b\n- c', '- c\n- b now\n- a\n- d');
  expect(idsOf(changed)).toEqual(['b', 'd']);
  expect(removed).toEqual([]);
});

test('people are named once: the assignee is not mentioned as well', () => {
  const assigned = between('- a', '- a [~accountid:ana]');
  expect(assigned.assigned).toEqual([{ account: 'ana', row: 'a' }]);
  expect(assigned.mentioned).toEqual([]);
  const both = between('- a [~accountid:ana]', '- a ask [~accountid:ben] first [~accountid:ana]');
  expect(both.assigned).toEqual([]);
  expect(both.mentioned).toEqual([{ account: 'ben', row: 'a' }]);
  expect(between('# h', '# h [~accountid:ana]').mentioned).toEqual([{ account: 'ana', row: 'h' }]);
});

test('an author is not notified of an own change, nor is an automatic author', () => {
  const events = between('- a\n- b', '- a [~accountid:ana]\n- b [~accountid:ben]');
  expect(noticesOf(events, 'ana')).toEqual([{ account: 'ben', row: 'b', kind: 'ASSIGNED' }]);
  expect(noticesOf(between('- a', '- a [~accountid:rule:x]'), 'ana')).toEqual([]);
});

test('equal rows cause no event, whatever their order', () => {
  const text = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 });
  fc.assert(
    fc.property(text, fc.infiniteStream(fc.boolean()), (names, marks) => {
      const lines = names.map(name => `${marks.next().value ? '+' : '-'} ${name}`);
      const events = between(lines.join('\n'), lines.toReversed().join('\n'));
      expect(events).toMatchObject({ completed: [], reopened: [], changed: [], removed: [], isCompleted: false });
    }),
    runs(50),
  );
});

const all = ['item.completed', 'item.reopened', 'checklist.completed', 'checklist.changed'];
const hook = { id: 'w', events: all, projects: [] as string[], with_text: false, automated: false };
const change = {
  ...{ issue: '1', project: '7', account: 'ana', kind: 'setItemStatus', epoch: 'e', seq: 3 },
  events: between('- a secret\n+ b', '+ a secret\n+ b'),
};
const calls = (webhooks: Parameters<typeof callsFor>[0], about: Parameters<typeof callsFor>[1]) =>
  callsFor(webhooks, about, new Date(0), () => 'id');
const eventsFor = (webhook: Partial<typeof hook>, about: Partial<typeof change> = {}) =>
  calls([{ ...hook, ...webhook }], { ...change, ...about }).map(({ event }) => event);

test('a webhook is called for its events in its projects', () => {
  expect(eventsFor({})).toEqual(['item.completed', 'checklist.completed', 'checklist.changed']);
  expect(eventsFor({ events: ['item.reopened', 'checklist.completed'] })).toEqual(['checklist.completed']);
  expect(eventsFor({ projects: ['8'] })).toEqual([]);
  expect(eventsFor({ projects: ['7', '8'] })).toHaveLength(3);
  expect(calls([{ ...hook, projects: ['7'] }], { ...change, project: undefined })).toEqual([]);
});

test('a change of another program is sent on only where that is wanted, and names it', () => {
  expect(eventsFor({}, { account: 'automation:x' })).toEqual([]);
  expect(eventsFor({}, { account: 'api:x' })).toEqual([]);
  expect(eventsFor({}, { account: 'rule:x' })).toHaveLength(3);
  for (const kind of ['automation', 'api']) {
    const [call] = calls([{ ...hook, automated: true }], { ...change, account: `${kind}:x` });
    expect(JSON.parse(call?.body ?? '').data.actor).toEqual({ kind, id: 'x' });
  }
});

test('a call has texts only where that is wanted, and names issue, author and items', () => {
  const [without] = calls([hook], change);
  expect(without?.body).not.toContain('secret');
  expect(JSON.parse(without?.body ?? '')).toMatchObject({
    ...{ id: without?.id, event: 'item.completed', issues: ['1'] },
    data: {
      ...{ issue: { id: '1' }, project: { id: '7' }, actor: { kind: 'user', accountId: 'ana' } },
      items: [{ id: 'a', index: 0, status: 'done', completed: true }],
      progress: { percent: 100 },
    },
  });
  const [withText] = calls([{ ...hook, with_text: true }], change);
  expect(JSON.parse(withText?.body ?? '').data.items).toMatchObject([{ text: 'a secret' }]);
});

test('a call lists a hundred items, and says how many more there are', () => {
  const text = (mark: string) => Array.from({ length: 130 }, (_, index) => `${mark} ${index}`).join('\n');
  const ids = Array.from({ length: 130 }, (_, index) => String(index));
  const rows = (mark: string) => ({ rows: readChecklist(text(mark), builtIn).rows, ids });
  const [call] = calls([hook], { ...change, events: eventsBetween(rows('-'), rows('+')) });
  const { data } = JSON.parse(call?.body ?? '');
  expect(data.items).toHaveLength(100);
  expect(data.more).toBe(30);
});
