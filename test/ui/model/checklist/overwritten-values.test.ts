import { expect, test } from 'vitest';
import { noBridge } from '../../../../src/bridge/none.ts';
import { createGraphql } from '../../../../src/client/graphql.ts';
import { createStore } from '../../../../src/client/store.ts';
import { overwrittenTexts } from '../../../../src/ui/model/checklist/overwritten-values.ts';
import { json, sessions } from '../../fakes.ts';

const conflict = { row: 'a', attribute: 'status', mine: 'Done', theirs: 'Skipped' };
const entry = (seq: number, account: string, created: string, conflicts: object[] = [conflict]) => ({
  ...{ epoch: 'e', seq, account, conflicts, created: `2026-11-22T${created}Z` },
});

/** What is told of such a history, newest first, time after time. */
function looker(...entries: object[]) {
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
  const told = new Set<string>();
  return () => overwrittenTexts({ bridge, graphql, issueId: '1', account: 'me', told, within: 60_000 });
}

test('what others changed at the same time is told once, with both values', async () => {
  const look = looker(entry(3, 'ana', '10:00:30'));
  const words =
    '“a”: Ana changed the status to “Done”, at the same time as it was changed to “Skipped”. The history has both.';
  expect(await look()).toEqual([words]);
  expect(await look()).toEqual([]);
});

test('nothing is told of what one did oneself, of what is long ago, and of changes that met nothing', async () => {
  const entries = [entry(9, 'ana', '10:00:30', []), entry(8, 'me', '10:00:20'), entry(7, 'ana', '09:59:29')];
  expect(await looker(...entries)()).toEqual([]);
  expect(await looker()()).toEqual([]);
});
