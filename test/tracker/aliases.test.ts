import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADDON_KEY } from './addon.ts';
import { startForge } from './forge/harness.ts';
import { type Ask, accountOf, startTracker, type TestTracker } from './harness.ts';

/** What search says of values that an app declares for it, whichever framework has installed the app. */

let site: TestTracker;
let editor: Ask;

const search = async (ask: Ask, jql: string) => {
  const answer = await ask('GET', `/rest/api/3/search/jql?${new URLSearchParams({ jql, fields: 'summary' })}`);
  return answer as { status: number; body: { issues?: { key: string }[]; errorMessages?: string[] } };
};
const found = async (jql: string, ask = editor) => (await search(ask, jql)).body.issues?.map(({ key }) => key);

describe.each([
  ['Connect', () => startTracker()],
  [
    'Forge alone',
    async () => {
      const both = await startForge();
      await both.as('site-admin')('POST', '/host/addon', { json: { action: 'uninstall' } });
      expect(both.tracker.addon.installed()).toBeUndefined();
      return both;
    },
  ],
] as const)('%s', (_name, start) => {
  beforeAll(async () => {
    site = await start();
    editor = site.as('editor');
    const put = (issue: string, json: unknown) =>
      editor('PUT', `/rest/api/2/issue/${issue}/properties/${ADDON_KEY}.checklist`, { json });
    await put('WEB-1', {
      text: '- Write\n- Read and sign',
      progress: { total: 2, checked: 1, percent: 50 },
      search: { statuses: ['To Do', 'Done'], assignees: [accountOf('editor')], dueDates: ['2026-12-01'] },
    });
    await put('WEB-2', { text: '- Read', progress: { total: 10, checked: 10, percent: 100 }, search: {} });
    await put('WEB-3', '- only text');
  });
  afterAll(() => site.close());

  test.each([
    ['checklistItems > 2', ['WEB-2']],
    ['checklistitems <= 10 order by created desc', ['WEB-2', 'WEB-1']],
    ['checklistPercent = 100', ['WEB-2']],
    ['checklistChecked < 5', ['WEB-1']],
    ['checklistItems >= 2 and project = HELP', []],
    ['project = WEB AND checklistItems is not empty', ['WEB-1', 'WEB-2']],
    ['key in (WEB-2, WEB-3) and checklistDue is empty', ['WEB-2', 'WEB-3']],
    ['checklistStatus = "To Do" and checklistItems < 9', ['WEB-1']],
    ['checklistStatus = Skipped', []],
    ['checklistAssignee = currentUser()', ['WEB-1']],
    ['checklistDue < 2026-12-02', ['WEB-1']],
    ['checklistText ~ "read AND sign"', ['WEB-1']],
    ['checklistText ~ read', ['WEB-1', 'WEB-2']],
  ])('%s', async (jql, keys) => {
    expect(await found(jql)).toEqual(keys);
  });

  test('a person finds what the person may see, and what is assigned to the person', async () => {
    expect(await found('checklistAssignee = currentUser()', site.as('viewer'))).toEqual([]);
    expect(await found('checklistItems > 0', site.as('customer'))).toEqual([]);
  });

  test.each(['checklistText = read', 'checklistStatus > Done', 'checklistUnknown = 1'])('%s is refused', async jql => {
    const { status, body } = await search(editor, jql);
    expect(status).toBe(400);
    expect(body.errorMessages).toEqual([expect.any(String)]);
  });
});
