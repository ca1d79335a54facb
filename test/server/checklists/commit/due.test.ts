import { expect, test } from 'vitest';
import { makeDue } from '../../../../src/server/checklists/commit/due.ts';
import { createTestQueue } from '../../support/queue.ts';

test.each([
  ['the first time', 'none', null, 0],
  ['a while after the last time', 'other', 5_000, 0],
  ['just after the last time', 'other', 500, 1_500],
  ['just after the last time, without another verdict', 'same', 500, 9_500],
  ['a while after that', 'same', 60_000, 1_000],
])('%s, the property is due by the verdict and the last write', (_name, verdict, age, after) => {
  const copies = { verdict, age, notice: null, refused: null, isOverdue: false, isFieldKnown: true, isRead: false };
  const place = { tenant: 't', issue: '1' };
  expect(makeDue(createTestQueue(), place, 'same', { copies }, { hasField: true }).after).toBe(after);
});
