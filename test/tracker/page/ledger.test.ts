import { expect, test } from 'vitest';
import { sumBy } from '../../../src/tracker/page/data/ledger.ts';
import type { LedgerLine } from '../../../src/tracker/wire/quota.ts';

const line = (rest: Partial<LedgerLine>): LedgerLine => ({
  ...{ app: 'app', site: 'one', call: 'GET /issue/:issue', cause: null, source: 'documented' },
  ...{ calls: 1, points: 2, refused: 0 },
  ...rest,
});

const lines = [
  line({ site: 'one', cause: 'sweep', calls: 2, points: 4 }),
  line({ site: 'two', cause: 'tick', call: 'PUT /issue/:issue', points: 1, refused: 3 }),
  line({ site: 'two', cause: 'sweep', call: 'POST /permissions/check', points: 3 }),
];

test('lines are added up by what they have in common, the most expensive first', () => {
  expect(sumBy(lines, ({ cause }) => cause ?? '')).toEqual([
    { name: 'sweep', calls: 3, points: 7, refused: 0 },
    { name: 'tick', calls: 1, points: 1, refused: 3 },
  ]);
  expect(sumBy(lines, ({ call }) => call).map(({ name }) => name)).toEqual([
    'GET /issue/:issue',
    'POST /permissions/check',
    'PUT /issue/:issue',
  ]);
});

test('where points are equal, what was refused more often comes first', () => {
  const rows = sumBy([line({}), line({ site: 'two', refused: 1 })], ({ site }) => site);
  expect(rows.map(({ name }) => name)).toEqual(['two', 'one']);
});
