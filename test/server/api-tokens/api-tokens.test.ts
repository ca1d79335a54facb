import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { fieldErrors } from '../../../src/domain/fields.ts';
import { apiTokens as messages, refusals, settings } from '../../../src/domain/messages.ts';
import { callApi } from '../support/api.ts';
import { appOf, SITE, startApp } from '../support/app.ts';
import { askAs, refused } from '../support/ask.ts';
import { EDITOR, newIssue, update } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { onStore } from '../support/stores.ts';

const createdShape = v.looseObject({ secret: v.string(), token: v.looseObject({ id: v.string() }) });

const FIELDS = 'id name scope projectIds account until used';

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));
  beforeAll(async () => {
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
    it.tracker.granted.set('editor', EDITOR);
  });

  const create = (account: string, input: Record<string, unknown>) =>
    askAs(it, account).mutate(
      'createApiToken',
      { name: 'Build server', scope: 'WRITE', projectIds: [], ...input },
      `secret token { ${FIELDS} }`,
    );
  /** The same as an administrator, where it is not refused. */
  const created = async (input: Record<string, unknown>) => v.parse(createdShape, await create('admin', input));
  const list = (account = 'admin') =>
    askAs(it, account).ask(`{ apiTokens { ${FIELDS} } }`) as Promise<{ id: string }[]>;
  const revoke = (account: string, id: string) =>
    askAs(it, account).ask(
      `mutation run($id: ID!) { revokeApiToken(id: $id) { message errors { code field message } tokens { id } } }`,
      { id },
    );

  test('an administrator creates a token, which works until it is revoked', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    const answer = await created({ name: '  Build   server ', projectIds: [PROJECT, PROJECT] });
    expect(answer).toMatchObject({
      ...{ errors: [], message: messages.created },
      token: { name: 'Build server', scope: 'WRITE', projectIds: [PROJECT], account: 'admin', until: null, used: null },
    });
    const { secret, token } = answer;
    expect(secret).toMatch(/^scl_[\w-]{43}\.[\w-]+$/);
    const read = () => callApi(it, secret, `/issues/${issue.id}/checklist`);
    expect((await read()).status).toBe(200);
    const [listed] = await list();
    expect(listed).toMatchObject({ id: token.id, used: expect.stringMatching(/^\d{4}-/) });
    expect(JSON.stringify(listed)).not.toContain(secret);

    // Only a hash is stored, and nothing of the secret is in the log.
    const stored = JSON.stringify(await use().raw('select to_jsonb(t) as row from api_token t'));
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(secret.split('.')[0]);
    expect(it.logged.join('')).not.toContain(secret);

    expect(await revoke('admin', token.id)).toEqual({ message: messages.revoked, errors: [], tokens: [] });
    expect((await read()).status).toBe(401);
    expect(await list()).toEqual([]);
    expect(await revoke('admin', token.id)).toMatchObject(refused('NOT_FOUND', 'id', messages.notFound));
  });

  test('only administrators of the site see, create and revoke tokens', async () => {
    const { token } = await created({ name: 'Other' });
    for (const account of ['lead', 'editor', 'anonymous']) {
      const none = refused('FORBIDDEN', null, refusals.permission);
      await expect(list(account)).rejects.toThrow(refusals.permission);
      expect(await create(account, { name: 'Mine', projectIds: [PROJECT] })).toMatchObject({ ...none, secret: null });
      expect(await revoke(account, token.id)).toMatchObject(none);
    }
    expect(await list()).toHaveLength(1);
    await revoke('admin', token.id);
  });

  test('what is no token is refused', async () => {
    const { token } = await created({ name: 'Taken' });
    const past = new Date(Date.now() - 1_000).toISOString();
    const refusals: [Record<string, unknown>, ReturnType<typeof refused>][] = [
      [{ name: ' ' }, refused('REQUIRED', 'name', fieldErrors.REQUIRED)],
      [{ name: 'ab' }, refused('TOO_SHORT', 'name', fieldErrors.TOO_SHORT)],
      [{ name: 'a'.repeat(141) }, refused('TOO_LONG', 'name', fieldErrors.TOO_LONG)],
      [{ name: 'tAKEN' }, refused('NOT_UNIQUE', 'name', fieldErrors.NOT_UNIQUE)],
      [{ name: 'Past', until: past }, refused('UNREADABLE', 'until', messages.past)],
      [{ name: 'Never', until: 'tomorrow' }, refused('UNREADABLE', 'until', fieldErrors.REQUIRED)],
      [{ name: 'Nowhere', projectIds: ['99999'] }, refused('NOT_FOUND', 'projectIds', settings.noProject)],
      [{ name: 'Nowhere', projectIds: ['../x'] }, refused('NOT_FOUND', 'projectIds', settings.noProject)],
      [
        { name: 'Everywhere', projectIds: Array.from({ length: 51 }, (_, at) => String(at + 1)) },
        refused('TOO_LARGE', 'projectIds', messages.tooManyProjects(50)),
      ],
    ];
    for (const [input, expected] of refusals) expect(await create('admin', input)).toMatchObject(expected);
    expect(await list()).toHaveLength(1);
    await revoke('admin', token.id);
    // The name is free again.
    const again = await created({ name: 'Taken' });
    await revoke('admin', again.token.id);
  });

  test('a site has at most fifty tokens', async () => {
    const tenant = await it.tenants.find(it.tenant.id);
    for (let count = 0; count < 50; count += 1) {
      await use().raw(
        `insert into api_token (tenant, id, epoch, name, hash, scope, projects, account)
          values ($1, $2, $3, $2, $2, 'READ', '{}', 'admin')`,
        [it.tenant.id, `many ${count}`, tenant?.epoch],
      );
    }
    expect(await create('admin', { name: 'One more' })).toMatchObject(
      refused('LIMIT_REACHED', null, messages.tooMany(50)),
    );
    await use().raw("delete from api_token where id like 'many %'");
  });

  test('tokens of an earlier installation are neither listed nor in the way', async () => {
    const { token, secret } = await created({ name: 'Old one' });
    await use().raw("update api_token set epoch = 'past' where id = $1", [token.id]);
    expect(await list()).toEqual([]);
    expect((await callApi(it, secret, '/templates')).status).toBe(401);
    const again = await created({ name: 'Old one' });
    await revoke('admin', again.token.id);
  });

  test('a token expires, and stays listed until it is revoked', async () => {
    const until = new Date(Date.now() + 60_000).toISOString();
    const { secret, token } = await created({ name: 'Short', until });
    expect((await callApi(it, secret, '/templates')).status).toBe(200);
    await use().raw("update api_token set until = now() - interval '1 second' where id = $1", [token.id]);
    expect((await callApi(it, secret, '/templates')).status).toBe(401);
    expect((await list()).map(({ id }) => id)).toContain(token.id);
    await revoke('admin', token.id);
  });

  test('the history names a change by the token’s name, also after the token was revoked', async () => {
    const issue = await newIssue(it, EDITOR, 'editor');
    await issue.edit(update('- a'));
    const { secret, token } = await created({ name: 'Importer' });
    const body = { change: { kind: 'addChecklistItemsFromText', text: 'b' } };
    await callApi(it, secret, `/issues/${issue.id}/checklist/changes`, { body, headers: { 'if-match': '*' } });
    const authors = async () => {
      const query = `{ checklistHistory(issueId: "${issue.id}") { entries { account } } }`;
      return ((await askAs(it, 'editor').ask(query)) as { entries: { account: string }[] }).entries.map(
        each => each.account,
      );
    };
    expect(await authors()).toEqual(['api:Importer', 'editor']);
    await revoke('admin', token.id);
    expect(await authors()).toEqual(['api:Importer', 'editor']);
  });

  test('a token can be revoked without a license, and ends with the data of the site', async () => {
    const { secret } = await created({ name: 'First one' });
    const { token } = await created({ name: 'Second one' });
    await use().raw('update tenant set licensed = false where tenant = $1', [it.tenant.id]);
    expect(await create('admin', { name: 'Third one' })).toMatchObject({ errors: [{ code: 'UNLICENSED' }] });
    expect(await revoke('admin', token.id)).toMatchObject({ errors: [] });
    await use().raw('update tenant set licensed = true where tenant = $1', [it.tenant.id]);
    expect((await callApi(it, secret, '/templates')).status).toBe(200);
    await it.settled();
    await askAs(it, 'admin').ask(
      `mutation { removeSiteData(confirm: "${SITE}") { removed errors { code field message } } }`,
    );
    expect((await callApi(it, secret, '/templates')).status).toBe(401);
    expect(await use().raw('select id from api_token where tenant = $1', [it.tenant.id])).toEqual([]);
  });
});
