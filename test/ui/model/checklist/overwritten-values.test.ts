import { expect, test } from 'vitest';
import { noBridge } from '../../../../src/bridge/none.ts';
import { createGraphql } from '../../../../src/client/graphql.ts';
import { createStore } from '../../../../src/client/store.ts';
import { overwrittenTexts } from '../../../../src/ui/model/checklist/conflict-text.ts';
import { json, sessions } from '../../fakes.ts';

const conflict = { row: 'a', attribute: 'status', mine: 'Done', theirs: 'Skipped' };
const entry = (seq: number, account: string, created: string, conflicts: object[] = [conflict]) => ({
  ...{ epoch: 'e', seq, account, conflicts, created: `2026-11-22T${created}Z` },
});

/** Returns a function that lists the overwritten values of a history (newest first), for repeated calls. */
function createList(...entries: object[]) {
  const bridge = {
    ...noBridge(''),
    backend: async () => json({ data: { checklistHistory: { entries } } }),
    request: async () => json({ values: [{ accountId: 'ana', displayName: 'Ana' }] }),
  };
  const session = { token: async () => 'token', renew: async () => 'token' };
  const graphql = createGraphql(bridge, {
    ...createStore(sessions.ok),
    ...session,
    start: () => () => undefined,
    retry() {},
  });
  const reported = new Set<string>();
  return () => overwrittenTexts({ bridge, graphql, issueId: '1', account: 'me', reported, within: 60_000 });
}

test('a concurrent change by another user is reported once, with both values', async () => {
  const list = createList(entry(3, 'ana', '10:00:30'));
  const words =
    '“a”: Ana changed the status to “Done”, at the same time as it was changed to “Skipped”. The history shows both.';
  expect(await list()).toEqual([words]);
  expect(await list()).toEqual([]);
});

test('own changes, old changes and changes without a conflict are not reported', async () => {
  const entries = [entry(9, 'ana', '10:00:30', []), entry(8, 'me', '10:00:20'), entry(7, 'ana', '09:59:29')];
  expect(await createList(...entries)()).toEqual([]);
  expect(await createList()()).toEqual([]);
});
