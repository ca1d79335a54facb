import { describe, expect, test } from 'vitest';
import { decide } from '../../../../src/server/checklists/decide/decide.ts';
import { type State, unknownState } from '../../../../src/server/checklists/decide/state.ts';
import type { DecideInput, Decision, Proposal } from '../../../../src/server/checklists/decide/types.ts';
import { madeOf, proposalOf, seedOf, stateOf, versionOf } from '../../support/history.ts';

const [first, second] = [versionOf(1, '- one\n- two', ['a', 'b']), versionOf(2, '+ one\n- two', ['a', 'b'])];

const inputOf = (proposals: readonly Proposal[], state: State, values: Partial<DecideInput> = {}): DecideInput => ({
  ...{ issue: '1', epoch: 'e', state, proposals, statuses: [], project: undefined, seed: seedOf(1), now: 0 },
  ...values,
});
/** Decides in another realm's terms: input and output are cloned, as for a worker thread. */
const decided = (...given: Parameters<typeof inputOf>): Decision =>
  structuredClone(decide(structuredClone(inputOf(...given))));

const tick = (index: number, text: string): Proposal['edit'] => ({
  kind: 'setItemStatus',
  target: { index, text },
  status: 'done',
});
const add = (text: string): Proposal['edit'] => ({ kind: 'addChecklistItemsFromText', text });
const codeOf = (outcome: Decision['outcomes'][number] | undefined) =>
  outcome && 'refusal' in outcome ? outcome.refusal.code : undefined;

test('equal input gives equal output, with the ids of new rows', () => {
  const proposals = [proposalOf(add('three\n- four')), proposalOf(tick(1, 'two'), { clientId: 'other' })];
  const one = decided(proposals, stateOf([second, first]));
  expect(decided(proposals, stateOf([second, first]))).toEqual(one);
  const [, last] = one.revisions;
  expect(last).toMatchObject({ seq: 4, text: '+ one\n+ two\n- three\n- four', kind: 'setItemStatus' });
  expect(last?.rows).toEqual(['a', 'b', expect.stringMatching(/^[\w-]{8}$/), expect.stringMatching(/^[\w-]{8}$/)]);
  expect(decided(proposals, stateOf([second, first]), { seed: seedOf(2) }).revisions.at(-1)?.rows).not.toEqual(
    last?.rows,
  );
});

test('a change is merged from its own base, and a refusal affects only its own proposal', () => {
  const base = { epoch: 'e', seq: 1, hash: first.hash };
  const { outcomes, revisions } = decided(
    [
      proposalOf(tick(1, 'two'), { base, clientId: '1' }),
      proposalOf(tick(0, 'three'), { clientId: '2' }),
      proposalOf(tick(0, 'one'), { base: { epoch: 'e', seq: 9, hash: 'unknown' }, clientId: '3' }),
      proposalOf(tick(0, 'one'), { base: { ...base, exactly: true }, clientId: '4' }),
      proposalOf(add('three'), { clientId: '5' }),
    ],
    stateOf([second, first]),
  );
  expect(outcomes.map(codeOf)).toEqual([undefined, 'CHANGED_MEANWHILE', 'BASE_UNKNOWN', 'REVISION_CHANGED', undefined]);
  expect(revisions.map(({ seq, text }) => [seq, text])).toEqual([
    [3, '+ one\n+ two'],
    [4, '+ one\n+ two\n- three'],
  ]);
});

test('of two equal rows the one that was deleted is gone, so that a rewording of the other one meets it', () => {
  const equal = versionOf(1, '- wash\n- wash\n- dry\n', ['item-aaa', 'item-bbb', 'item-ccc']);
  const base = { epoch: 'e', seq: 1, hash: equal.hash };
  const remove: Proposal['edit'] = { kind: 'deleteChecklistItem', target: { index: 0, text: 'wash' } };
  const reword: Proposal['edit'] = {
    kind: 'updateChecklistItem',
    target: { index: 1, text: 'wash' },
    values: { text: 'wash up' },
  };
  const { revisions } = decided(
    [proposalOf(remove, { base, clientId: '1' }), proposalOf(reword, { base, clientId: '2' })],
    stateOf([equal]),
  );
  expect(revisions.at(-1)).toMatchObject({ text: '- wash up\n- dry\n', rows: ['item-bbb', 'item-ccc'] });
});

describe('a client id', () => {
  test('that was applied before has the outcome of its revision', () => {
    const applied = { ...second, account: 'me', client: 'change', kind: 'setItemStatus', conflicts: [] };
    const { outcomes, revisions } = decided(
      [proposalOf(tick(1, 'two'))],
      stateOf([second, first], { applied: [applied] }),
    );
    expect(revisions).toEqual([]);
    expect(madeOf(outcomes[0]).checklist).toMatchObject({ seq: 2, text: second.text });
  });

  test('has one outcome in a batch, also where its text no longer exists', () => {
    const gone = { refusal: { code: 'NOT_FOUND', message: 'Gone', field: 'seq', retryAfter: undefined } } as const;
    const edit: Proposal['edit'] = { kind: 'restoreChecklistRevision', epoch: 'e', seq: 9, source: gone };
    const proposals = [proposalOf(add('three')), proposalOf(edit), proposalOf(edit, { clientId: 'other' })];
    const { outcomes, revisions } = decided(proposals, stateOf([second]));
    expect(revisions).toHaveLength(1);
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[2]).toEqual(gone);
  });

  test('of a conversion names the item first, and the change when the issue has a key', () => {
    const conversion = { kind: 'convertItemToIssue', target: { index: 1, text: 'two' }, to: 'SUBTASK' } as const;
    const { outcomes, revisions } = decided(
      [proposalOf(conversion), proposalOf({ ...conversion, issueKey: 'WEB-7' })],
      stateOf([second]),
    );
    expect(madeOf(outcomes[0])).toMatchObject({ item: { row: 'b', summary: 'two' }, checklist: { seq: 2 } });
    expect(madeOf(outcomes[1]).checklist.text).toBe('+ one\n- two WEB-7');
    expect(revisions.map(({ rows }) => rows)).toEqual([['a', 'b']]);
  });
});

test('limits refuse growth with the figures, and leave ticks alone', () => {
  const state = stateOf([second]);
  expect(codeOf(decided([proposalOf(add('three'), { maxItems: 2 })], state).outcomes[0])).toBe('LIMIT_REACHED');
  expect(codeOf(decided([proposalOf(tick(1, 'two'), { maxItems: 1 })], state).outcomes[0])).toBeUndefined();
  const large = { kind: 'updateChecklistFromText', text: `- ${'x'.repeat(33_000)}` } as const;
  const [outcome] = decided([proposalOf(large)], state).outcomes;
  expect(outcome).toMatchObject({ refusal: { code: 'TOO_LARGE', field: 'text', size: expect.any(Number) } });
  // The first copy of an issue is in the tracker already.
  const copy = proposalOf({ kind: 'foreignField', text: large.text }, { isFirstCopy: true });
  expect(decided([copy], unknownState).revisions.map(({ text }) => text)).toEqual([large.text]);
});

test('proposals beyond the budget have no outcome', () => {
  const proposals = ['1', '2', '3'].map(clientId => proposalOf(add(clientId), { clientId }));
  const { outcomes, revisions } = decided(proposals, stateOf([second]), { mergeBudgetChars: 12 });
  expect([outcomes.length, revisions.length]).toEqual([2, 2]);
});

test('findings refuse a change or are reported with it', () => {
  const edit = add('[Dnoe] three');
  const [refused] = decided([proposalOf(edit, { findings: 'refuse' })], stateOf([second])).outcomes;
  const [reported] = decided([proposalOf(edit, { findings: 'report' })], stateOf([second])).outcomes;
  const [plain] = decided([proposalOf(edit)], stateOf([second])).outcomes;
  expect(refused).toMatchObject({ refusal: { code: 'DIAGNOSTICS', findings: [{ row: 2 }] } });
  expect(madeOf(reported).findings).toMatchObject([{ row: 2 }]);
  expect(madeOf(plain).findings).toBeUndefined();
});

describe('what follows', () => {
  const webhook = { id: 'w', events: ['item.completed'], projects: [], with_text: true, automated: false };
  const assigned = '- [~accountid:ana] one\n- two';

  test('of a change are the index, the verdict, calls and notices', () => {
    const state = stateOf([second], { webhooks: [webhook] });
    const edit: Proposal['edit'] = { kind: 'updateChecklistFromText', text: '- [~accountid:ana] one\n+ two' };
    const { newest, calls, notices } = decided([proposalOf(edit)], state, { project: '7' });
    expect(newest?.index).toEqual({
      assigned: [expect.objectContaining({ position: 0, row: 'a', account: 'ana', assigner: 'me' })],
      counts: { items: 2, open: 1, mandatory: 0, due: null },
      statuses: undefined,
    });
    expect(newest?.verdict).toMatch(/^[0-9a-f]{32}$/);
    expect(calls).toMatchObject([{ webhook: 'w', event: 'item.completed', issue: '1' }]);
    expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({ id: calls[0]?.id, time: '1970-01-01T00:00:00.000Z' });
    expect(notices).toEqual([{ account: 'ana', row: 'a', kind: 'ASSIGNED' }]);
  });

  test('of silent changes and of first copies are no events', () => {
    const state = stateOf([versionOf(1, assigned, ['a', 'b'])], { webhooks: [webhook] });
    for (const edit of [
      { kind: 'erasePerson', account: 'ana' },
      { kind: 'joinInherited', text: '- [~accountid:ben] three', earlier: [] },
    ] as const) {
      const { revisions, calls, notices, newest } = decided([proposalOf(edit)], state);
      expect([revisions.length, calls, notices, newest === undefined]).toEqual([1, [], [], false]);
    }
    const copy = proposalOf({ kind: 'foreignProperty', text: assigned }, { isFirstCopy: true });
    const { newest, notices } = decided([copy], unknownState);
    expect(newest?.index.assigned).toMatchObject([{ account: 'ana', assigner: null }]);
    expect(notices).toEqual([]);
  });

  test('of no change is nothing, and of a moved issue its index', () => {
    const state = stateOf([versionOf(1, assigned, ['a', 'b'])]);
    expect(decided([], state)).toEqual({ outcomes: [], revisions: [], newest: undefined, calls: [], notices: [] });
    const status = { slug: 'review', name: 'Review', checked: false, color: 'blue', former: [], going: false } as const;
    const { newest } = decided([], state, { project: '8', statuses: [status] });
    expect(newest?.index).toMatchObject({ assigned: [{ account: 'ana' }], statuses: [] });
  });
});

describe('background edits', () => {
  const following = (row: string | null, done: boolean) =>
    decided([proposalOf({ kind: 'followIssue', key: 'WEB-1', row, done })], stateOf([links])).revisions[0]?.text;
  const links = versionOf(1, '- see WEB-1\n- WEB-1 fix it\n- other', ['a', 'b', 'c']);

  test.each([
    ['the converted item', 'a', true, '+ see WEB-1\n- WEB-1 fix it\n- other'],
    ['the only item that begins with the key', 'c', true, '- see WEB-1\n+ WEB-1 fix it\n- other'],
    ['an item that is open already', 'a', false, undefined],
  ])('following an issue sets %s', (_, row, done, text) => expect(following(row, done)).toBe(text));

  test('statuses are written by their present names, and those that are deleted are replaced', () => {
    const statusOf = (slug: string, name: string, former: string[] = [], going = false) =>
      ({ slug, name, checked: false, color: 'blue', former, going }) as const;
    const statuses = [statusOf('r', 'Review', ['Check']), statusOf('g', 'Gone', [], true)];
    const state = stateOf([versionOf(1, '- [Check] one\n- [Gone] two', ['a', 'b'])]);
    const edit = { kind: 'bringStatuses', moves: [['g', 'r']] } as const;
    expect(decided([proposalOf(edit)], state, { statuses }).revisions[0]?.text).toBe('- [Review] one\n- [Review] two');
  });

  test("another edition's rows are added, but not again after they were deleted", () => {
    const join = (earlier: readonly string[]) =>
      decided([proposalOf({ kind: 'joinInherited', text: '- old', earlier })], stateOf([second])).revisions;
    expect(join([second.text])).toMatchObject([{ kind: 'inherited', text: expect.stringContaining('- old') }]);
    expect(join([second.text, '+ one\n- two\n- old'])).toEqual([]);
  });

  test('a foreign text is merged from its own base, under its author and name', () => {
    const { revisions } = decided(
      [
        proposalOf(
          { kind: 'foreignProperty', text: '- one\n- two\n- three', name: 'Release' },
          { account: 'eva', base: { epoch: 'e', seq: 1, hash: first.hash, text: first.text } },
        ),
      ],
      stateOf([second, first]),
    );
    expect(revisions).toMatchObject([
      { text: '+ one\n- two\n- three', name: 'Release', account: 'eva', kind: 'foreignProperty' },
    ]);
    expect(revisions[0]?.rows.slice(0, 2)).toEqual(['a', 'b']);
  });
});
