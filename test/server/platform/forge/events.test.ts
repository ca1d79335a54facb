import { afterEach, beforeAll, expect, test } from 'vitest';
import { storageKey } from '../../../../src/domain/storage.ts';
import { EDITOR, type IssueWork, newIssue, update } from '../../support/checklists.ts';
import { forgeOf, newSite } from '../../support/forge.ts';
import { onStore } from '../../support/stores.ts';
import { ADDON_ACCOUNT, isPropertyWrite, OWN_FIELD, writeFields } from '../../support/tracker.ts';

const PROPERTY = storageKey('checklist');

onStore(use => {
  const app = forgeOf(use);
  let issue: IssueWork;
  const site = newSite();
  beforeAll(async () => {
    app.forge.past = { key: app.it.tenant.id };
    app.forge.impersonated.add('author');
    await app.signIn(site);
  });
  afterEach(() => app.it.background.lose());

  async function settledIssue(): Promise<IssueWork> {
    const made = await newIssue(app.it, EDITOR, 'author');
    await made.edit(update('- a'));
    await app.it.settled();
    // Events of own writes.
    for (let time = 0; time < 2; time++) await event(made, 'set:issue-property', {}, ADDON_ACCOUNT);
    await app.it.settled();
    return made;
  }
  const event = (about: Pick<IssueWork, 'id'>, name: string, more: object = {}, atlassianId = 'bob') =>
    app.send(site, '/forge/events', {
      ...{ eventType: `avi:jira:${name}`, issue: { id: about.id, key: `PR-${about.id}` }, atlassianId },
      ...{ timestamp: Date.now() - 90_000, ...more },
    });
  const held = () => {
    const found = app.it.tracker.issues.get(issue.id);
    if (!found) throw new Error('No issue.');
    return found;
  };
  const history = () => use().raw('select kind, account, text from revision where issue = $1 order by seq', [issue.id]);

  test('a foreign property is merged with its author, also after repeated and late events', async () => {
    issue = await settledIssue();
    held().properties[PROPERTY] = '- a\n- b';
    const changed = { property: { key: PROPERTY } };
    for (let time = 0; time < 3; time++) {
      expect((await event(issue, 'set:issue-property', changed)).statusCode).toBe(204);
      await app.it.settled();
    }
    expect(await history()).toMatchObject([{}, { kind: 'foreignProperty', account: 'bob', text: '- a\n- b' }]);
  });

  test('a foreign field update is merged; own and other updates cause no call', async () => {
    issue = await settledIssue();
    const item = (id: string, to: string) => ({ changelog: { items: [{ field: id, fieldId: id, toString: to }] } });
    const calls = () => app.it.tracker.calls.length;
    const before = calls();
    await event(issue, 'updated:issue', item('summary', 'New'));
    await event(issue, 'updated:issue', { ...item(OWN_FIELD, '- a'), selfGenerated: true }, ADDON_ACCOUNT);
    await event(issue, 'set:issue-property', { property: { key: 'another.app' } });
    await app.it.settled();
    expect(calls()).toBe(before);

    writeFields(held(), { [OWN_FIELD]: '- a\n- c' }, 'carol');
    await event(issue, 'updated:issue', item(OWN_FIELD, '- a\n- c'), 'carol');
    await app.it.settled();
    expect((await history()).at(-1)).toMatchObject({ kind: 'foreignField', account: 'carol', text: '- a\n- c' });
  });

  test('events before the app has its permissions are answered, and what they were about is read with the next', async () => {
    issue = await settledIssue();
    held().properties[PROPERTY] = '- a\n- b';
    const changed = { property: { key: PROPERTY } };
    for (const status of [403, 404]) {
      app.forge.fault = path => (path.startsWith('/rest/') ? new Response('{}', { status }) : undefined);
      expect((await event(issue, 'set:issue-property', changed)).statusCode).toBe(204);
      await app.it.settled();
    }
    expect(await history()).toHaveLength(1);
    app.forge.fault = undefined;
    await event(issue, 'set:issue-property', changed);
    await app.it.settled();
    expect((await history()).at(-1)).toMatchObject({ kind: 'foreignProperty', account: 'bob', text: '- a\n- b' });
  });

  test('an update that may hide the issue causes a new permission check', async () => {
    issue = await settledIssue();
    const count = () => app.forge.calls.filter(({ path }) => path === '/rest/api/3/permissions/check').length;
    await issue.edit(update('- a\n- b'));
    const before = count();
    await event(issue, 'updated:issue', { changelog: { items: [{ field: 'security', fieldId: 'security' }] } });
    await expect
      .poll(async () => {
        await issue.edit(update('- a\n- b\n- c'));
        return count();
      })
      .toBeGreaterThan(before);
  });

  test('creations and deletions, out of order or of unknown issues, have no effect', async () => {
    issue = await settledIssue();
    for (const name of ['deleted:issue', 'deleted:issue-property', 'created:issue', 'updated:issue']) {
      expect((await event(issue, name)).statusCode).toBe(204);
      expect((await event({ id: '99999999' }, name)).statusCode).toBe(204);
      expect((await event({ id: '../1' }, name)).statusCode).toBe(204);
    }
    await app.it.settled();
    expect((await history()).at(-1)).toMatchObject({ text: '- a' });
  });

  test('events of unknown sites, without an issue or of another kind are ignored', async () => {
    const body = { eventType: 'avi:jira:updated:issue', issue: { id: '1' } };
    expect((await app.send(newSite(), '/forge/events', body)).statusCode).toBe(204);
    expect((await app.send(site, '/forge/events', { eventType: 'avi:jira:updated:issue' })).statusCode).toBe(204);
    expect((await app.send(site, '/forge/events', { eventType: 'avi:jira:made:up' })).statusCode).toBe(204);
    expect(app.it.background.waiting()).toEqual([]);
    expect((await app.send(site, '/forge/events', { issue: 7 })).statusCode).toBe(400);
    expect((await app.send(site, '/forge/events', '{')).statusCode).toBe(400);
  });

  test('an event of up to a megabyte is read, a larger one is refused with 413', async () => {
    issue = await settledIssue();
    const long = (length: number) => ({ issue: { id: issue.id, fields: { description: 'x'.repeat(length) } } });
    expect((await event(issue, 'updated:issue', long(1_000_000))).statusCode).toBe(204);
    expect((await event(issue, 'updated:issue', long(1_100_000))).statusCode).toBe(413);
    expect((await app.send(site, '/forge/tick', long(100_000))).statusCode).toBe(413);
  });

  test('the delay of events is measured', async () => {
    const { body } = await app.it.app.inject('/metrics');
    const sum = /^forge_event_delay_seconds_sum (\d+)/m.exec(body)?.[1];
    const count = /^forge_event_delay_seconds_count (\d+)/m.exec(body)?.[1];
    expect(Number(sum) / Number(count)).toBeGreaterThanOrEqual(90);
  });

  test('own writes are made as the app', () => {
    const writes = app.forge.calls.filter(call => isPropertyWrite(call));
    expect(writes.length).toBeGreaterThan(0);
    expect(writes.every(({ as }) => as === null)).toBe(true);
  });
});
