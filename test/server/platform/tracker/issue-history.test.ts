import { expect, test } from 'vitest';
import { readIssueHistory } from '../../../../src/server/platform/tracker/issue-history.ts';

test.each([
  ['west of Greenwich', '2026-09-01T01:30:00.000-0800', '2026-09-01T09:30:00.000Z'],
  ['east of Greenwich', '2026-09-01T15:00:00.000+0530', '2026-09-01T09:30:00.000Z'],
  ['of Greenwich', '2026-09-01T09:30:00.000+0000', '2026-09-01T09:30:00.000Z'],
])('times of a site %s are the same moments', async (_, written, moment) => {
  const body = {
    fields: { project: { id: '10000' }, issuetype: { id: '1' }, created: written },
    changelog: { histories: [{ created: written, items: [{ field: 'status', fieldId: 'status', to: '3' }] }] },
  };
  const history = await readIssueHistory(async () => ({ status: 200, body }), '10001');
  expect(history?.created.toISOString()).toBe(moment);
  expect(history?.changes.map(({ at }) => at.toISOString())).toEqual([moment]);
});
