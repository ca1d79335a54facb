import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GraphqlClient } from '../../../../src/client/graphql.ts';
import { findAuthor } from '../../../../src/ui/model/checklist/conflict-author.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Written = { account: string; kind?: string; rowId?: string; to?: string };

/** A client whose history has these revisions, the newest first. */
const withHistory = (...revisions: readonly Written[]): GraphqlClient => {
  const entries = revisions.map(({ account, kind = 'REWORDED', rowId = 'r1', to = '' }) => ({
    account,
    changes: [{ kind, rowId, to }],
  }));
  return { query: async () => ({ checklistHistory: { entries } }) } as unknown as GraphqlClient;
};

/** The author, once no more questions are asked. */
async function authorOf(...[graphql, conflict]: [GraphqlClient, Parameters<typeof findAuthor>[2]]) {
  const found = findAuthor(graphql, 'issue', conflict);
  await vi.runAllTimersAsync();
  return found;
}

const conflict = { rowId: 'r1', attribute: 'text', theirs: 'call' };

test.each<[string, string | undefined, Written[]]>([
  ['wrote the value last', 'mia', [{ account: 'mia', to: 'call' }]],
  [
    'wrote it before another one changed the row',
    'mia',
    [
      { account: 'bob', to: 'ask' },
      { account: 'mia', to: 'call' },
    ],
  ],
  [
    'wrote it with a person behind',
    'mia',
    [
      { account: 'bob', to: 'ask' },
      { account: 'mia', to: 'call @[x]' },
    ],
  ],
  [
    'is the user, in another tab',
    'emma',
    [
      { account: 'emma', to: 'ask' },
      { account: 'emma', to: 'call' },
      { account: 'mia', to: 'all' },
    ],
  ],
  [
    'is not among those who wrote other values',
    undefined,
    [
      { account: 'mia', to: 'by then' },
      { account: 'bob', kind: 'DETAILS', to: 'call' },
    ],
  ],
  ['is not in the history', undefined, [{ account: 'emma', to: 'ask' }]],
])('the author of the other value %s', async (_, author, revisions) => {
  expect(await authorOf(withHistory(...revisions), conflict)).toBe(author);
});

test('details are compared without their marks, and an empty value only with an empty one', async () => {
  const history = withHistory(
    { account: 'bob', kind: 'DETAILS', to: 'a line' },
    { account: 'mia', kind: 'DETAILS', to: '' },
  );
  const details = (theirs: string) => authorOf(history, { rowId: 'r1', attribute: 'details', theirs });
  expect(await details('  > a line')).toBe('bob');
  expect(await details('')).toBe('mia');
});

test('a row without an id is known by the value only', async () => {
  const history = withHistory({ account: 'bob', to: 'ask' }, { account: 'mia', rowId: 'r2', to: 'call' });
  const ofRow = (theirs: string) => authorOf(history, { attribute: 'text', theirs });
  expect(await ofRow('call')).toBe('mia');
  expect(await ofRow('by then')).toBeUndefined();
});

test('a value that the server has later is asked for again', async () => {
  const [empty, full] = [withHistory(), withHistory({ account: 'emma', to: 'call' })];
  const query = vi.fn(full.query).mockImplementationOnce(empty.query);
  expect(await authorOf({ ...full, query } as GraphqlClient, conflict)).toBe('emma');
  expect(query).toHaveBeenCalledTimes(2);
});
