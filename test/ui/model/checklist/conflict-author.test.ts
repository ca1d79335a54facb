import { expect, test } from 'vitest';
import type { GraphqlClient } from '../../../../src/client/graphql.ts';
import { findAuthor } from '../../../../src/ui/model/checklist/conflict-author.ts';

type Written = { account: string; kind?: string; rowId?: string; to?: string };

/** A client whose history has these revisions, the newest first. */
const withHistory = (...revisions: readonly Written[]): GraphqlClient => {
  const entries = revisions.map(({ account, kind = 'reworded', rowId = 'r1', to = '' }) => ({
    account,
    changes: [{ kind, rowId, to }],
  }));
  return { query: async () => ({ checklistHistory: { entries } }) } as unknown as GraphqlClient;
};

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
    'is the only other author of the row',
    'mia',
    [
      { account: 'emma', to: 'ask' },
      { account: 'mia', to: 'by then' },
    ],
  ],
  ['changed its details', 'mia', [{ account: 'mia', kind: 'details', to: 'call' }]],
  ['is not in the history', undefined, [{ account: 'emma', to: 'ask' }]],
])('the author of the other value %s', async (_, author, revisions) => {
  expect(await findAuthor(withHistory(...revisions), 'issue', 'emma', conflict)).toBe(author);
});

test('details are compared without their marks, and an empty value only with an empty one', async () => {
  const history = withHistory(
    { account: 'bob', kind: 'details', to: 'a line' },
    { account: 'mia', kind: 'details', to: '' },
  );
  const details = (theirs: string) =>
    findAuthor(history, 'issue', 'emma', { rowId: 'r1', attribute: 'details', theirs });
  expect(await details('  > a line')).toBe('bob');
  expect(await details('')).toBe('mia');
});

test('a row without an id is known by the value only', async () => {
  const history = withHistory({ account: 'bob', to: 'ask' }, { account: 'mia', rowId: 'r2', to: 'call' });
  const ofRow = (theirs: string) => findAuthor(history, 'issue', 'emma', { attribute: 'text', theirs });
  expect(await ofRow('call')).toBe('mia');
  expect(await ofRow('by then')).toBeUndefined();
});
