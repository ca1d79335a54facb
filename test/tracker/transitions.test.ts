import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Ask, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
let editor: Ask;
beforeEach(async () => {
  site = await startTracker();
  editor = site.as('editor');
});
afterEach(() => site.close());

const path = '/rest/api/3/issue/WEB-1/transitions';
const to = (id: string) => ({ json: { transition: { id } } });
const names = async (ask: Ask, of = path) =>
  ((await ask('GET', of)).body as { transitions: { name: string }[] }).transitions.map(({ name }) => name);

test('an issue goes to another status of its project', async () => {
  expect((await editor('GET', path)).body).toMatchObject({
    transitions: [
      { id: '11', name: 'To Do', to: { id: '10000', name: 'To Do' } },
      { id: '31', name: 'Done', to: { id: '10002', statusCategory: { key: 'done' } } },
    ],
  });
  expect((await editor('POST', path, to('31'))).status).toBe(204);
  expect((await editor('GET', '/rest/api/3/issue/WEB-1?fields=status')).body).toMatchObject({
    fields: { status: { id: '10002', name: 'Done' } },
  });
  expect(await names(editor)).toEqual(['To Do', 'In Progress']);
  const requests = '/rest/api/3/issue/HELP-1/transitions';
  expect(await names(site.as('project-admin'), requests)).toEqual(['Waiting for customer', 'Resolved']);
});

test('the changelog and the webhook say from where to where', async () => {
  await editor('POST', path, to('31'));
  const change = {
    ...{ field: 'status', fieldtype: 'jira' },
    ...{ from: '10001', fromString: 'In Progress', to: '10002', toString: 'Done' },
  };
  expect((await editor('GET', '/rest/api/3/issue/WEB-1?expand=changelog')).body).toMatchObject({
    changelog: { histories: [{ items: [change] }] },
  });
  const [call] = await site.addon.next('/webhooks/issue-updated');
  expect(JSON.parse(call?.body ?? '')).toMatchObject({
    webhookEvent: 'jira:issue_updated',
    issue_event_type_name: 'issue_generic',
    changelog: { items: [change] },
  });
});

test('refusals', async () => {
  const refused = (message: string) => ({ status: 400, body: { errorMessages: [message], errors: {} } });
  expect(await editor('POST', path, { json: {} })).toMatchObject(refused("Missing 'transition' identifier"));
  const invalid = "Transition id '21' is not valid for this issue.";
  expect(await editor('POST', path, to('21'))).toMatchObject(refused(invalid));
  expect(await names(site.as('viewer'))).toEqual([]);
  expect((await site.as('viewer')('POST', path, to('31'))).status).toBe(400);
  expect((await site.as('customer')('POST', path, to('31'))).status).toBe(404);
  expect((await site.anonymous('POST', path, to('31'))).status).toBe(401);
});
