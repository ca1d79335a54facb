import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { problem } from '../../../../src/domain/api/schemas.ts';
import { limitReached } from '../../../../src/domain/messages.ts';
import { newSecret } from '../../../../src/server/api-tokens/secret.ts';
import { type ApiResponse, callApi, createToken } from '../../support/api.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { newIssue, update } from '../../support/checklists.ts';
import { PROJECT } from '../../support/issue-creation.ts';
import { OTHER_PROJECT } from '../../support/projects.ts';
import { onStore } from '../../support/stores.ts';
import { ADDON_ACCOUNT } from '../../support/tracker.ts';

/** Every operation that needs a token, as a request on an issue. */
const operations: [name: string, request: (issue: string) => { path: string; body?: object }][] = [
  ['readChecklist', issue => ({ path: `/issues/${issue}/checklist` })],
  ['listRevisions', issue => ({ path: `/issues/${issue}/checklist/revisions` })],
  ['readRevision', issue => ({ path: `/issues/${issue}/checklist/revisions/e.1.${'0'.repeat(32)}` })],
  [
    'changeChecklist',
    issue => ({ path: `/issues/${issue}/checklist/changes`, body: { change: { kind: 'clearChecklist' } } }),
  ],
  ['searchChecklists', () => ({ path: '/checklists' })],
  ['listTemplates', () => ({ path: '/templates' })],
];
/** Those about one issue. */
const ofIssue = operations.filter(([, request]) => request('1').path.startsWith('/issues/'));

const problemOf = (answer: ApiResponse) => v.parse(problem, answer.json());

onStore(use => {
  let it: TestApp;
  let other: TestApp;
  let token: string;
  beforeAll(async () => {
    it = await startApp(use().store);
    other = await startApp(use().store);
    token = (await createToken(use().store, it)).secret;
    return async () => {
      await it.app.close();
      await other.app.close();
    };
  });

  const issueWith = async (text = '- a') => {
    const issue = await newIssue(it);
    await issue.edit(update(text));
    await it.settled();
    return issue;
  };
  /** Addresses with invalid tokens are limited, so that each request comes from another one. */
  let address = 0;
  const send = (secret: string | undefined, { path, body }: { path: string; body?: object }, at = it) => {
    address += 1;
    return callApi(at, secret, path, {
      body,
      headers: body ? { 'if-match': '*' } : {},
      from: `10.0.0.${address % 250}`,
    });
  };

  describe.each(operations)('%s', (_name, request) => {
    test('refuses every token but a valid one, without a trace of it in the log', async () => {
      const issue = await issueWith();
      const revoked = await createToken(use().store, it);
      await use().raw('update api_token set revoked = now() where id = $1', [revoked.id]);
      const expired = await createToken(use().store, it, { until: new Date(Date.now() - 1_000) });
      const past = await createToken(use().store, it);
      await use().raw("update api_token set epoch = 'past' where id = $1", [past.id]);
      const gone = await startApp(use().store);
      const ofGone = await createToken(use().store, gone);
      await gone.tenants.uninstall(gone.tenant.id);
      await gone.app.close();
      const bad: [string, string | undefined][] = [
        ['none', undefined],
        ['nonsense', 'nonsense'],
        ['forged for this site', newSecret(it.tenant.id)],
        ['forged for no site', newSecret('client-none')],
        ['cut', token.slice(0, -1)],
        ['changed', token.replace(/^scl_./, each => (each === 'scl_A' ? 'scl_B' : 'scl_A'))],
        ['a session', await it.session('admin')],
        ['revoked', revoked.secret],
        ['expired', expired.secret],
        ['of an earlier installation', past.secret],
        ['of a site that uninstalled', ofGone.secret],
      ];
      for (const [what, secret] of bad) {
        const answer = await send(secret, request(issue.id));
        expect(answer.status, what).toBe(401);
        expect(problemOf(answer)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
        expect(answer.headers['www-authenticate']).toContain('Bearer');
        expect(answer.headers['content-type']).toContain('application/problem+json');
      }
      const jwt = await it.app.inject({
        ...{ method: 'GET', url: `/api/v1/issues/${issue.id}/checklist` },
        headers: { authorization: `JWT ${token}` },
      });
      expect(jwt.statusCode).toBe(401);
      const log = it.logged.join('');
      for (const [, secret] of [...bad, ['valid', token]]) if (secret) expect(log).not.toContain(secret);
      expect((await issue.read()).text).toBe('- a');
    });

    test("with another site's token, only that site is reached", async () => {
      const issue = await issueWith();
      const foreign = await createToken(use().store, other);
      const answer = await send(foreign.secret, request(issue.id));
      if (request('1').path.startsWith('/issues/')) expect(problemOf(answer).code).toBe('NOT_FOUND');
      else expect(answer.json()).toMatchObject({ next: null });
      expect((await issue.read()).text).toBe('- a');
    });
  });

  describe.each(ofIssue)('%s', (_name, request) => {
    test('a token restricted to other projects does not find the issue, as if there were none', async () => {
      const issue = await issueWith();
      const { secret } = await createToken(use().store, it, { projects: [OTHER_PROJECT] });
      const answer = await send(secret, request(issue.id));
      const none = await send(secret, request('999999999'));
      expect(problemOf(answer)).toEqual(problemOf(none));
      expect(problemOf(answer).code).toBe('NOT_FOUND');
      expect((await send(secret, request(`PR-${issue.id}`))).status).toBe(404);
      expect((await issue.read()).text).toBe('- a');
    });

    test('an issue that the tracker hides from the app is not found', async () => {
      const issue = await newIssue(it);
      const { path } = request(issue.id);
      it.tracker.faults.push(call =>
        call.path.endsWith(`/issue/${issue.id}`) ? new Response('{}', { status: 403 }) : undefined,
      );
      const answer = await send(token, request(issue.id));
      it.tracker.faults.length = 0;
      expect(problemOf(answer).code, path).toBe('NOT_FOUND');
    });
  });

  test('a search and a list of templates stay within the projects of the token', async () => {
    const issue = await issueWith();
    const here = await createToken(use().store, it, { projects: [PROJECT] });
    const elsewhere = await createToken(use().store, it, { projects: [OTHER_PROJECT] });
    const found = async (secret: string, query = '') => {
      const answer = await callApi(it, secret, `/checklists${query}`);
      return JSON.stringify(answer.json()).includes(`"id":"${issue.id}"`) ? 'found' : answer.status;
    };
    expect(await found(here.secret)).toBe('found');
    expect(await found(elsewhere.secret)).toBe(200);
    expect(await found(elsewhere.secret, `?project=${PROJECT}`)).toBe(404);
    expect(await found(elsewhere.secret, '?project=PR')).toBe(404);
    expect(await found(here.secret, '?project=PR')).toBe('found');
    const templates = (secret: string) => callApi(it, secret, `/templates?projectId=${PROJECT}`);
    expect((await templates(here.secret)).status).toBe(200);
    expect((await templates(elsewhere.secret)).status).toBe(404);
  });

  test('a token that can only read changes nothing', async () => {
    const issue = await issueWith();
    const { secret } = await createToken(use().store, it, { scope: 'READ' });
    for (const body of [{ change: { kind: 'clearChecklist' } }, { change: { kind: 'clearChecklist' }, dryRun: true }]) {
      const answer = await send(secret, { path: `/issues/${issue.id}/checklist/changes`, body });
      expect(problemOf(answer)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    }
    expect((await send(secret, { path: `/issues/${issue.id}/checklist` })).status).toBe(200);
    expect((await issue.read()).text).toBe('- a');
  });

  test('a token restricted to projects creates issues in no other one, and a dry run says so', async () => {
    const issue = await issueWith('- Ship it');
    const { secret } = await createToken(use().store, it, { projects: [PROJECT] });
    const convert = (project: string) => ({
      ...{ kind: 'convertItemToIssue', target: { index: 0, text: 'Ship it' }, to: 'LINKED_ISSUE', project },
    });
    const before = it.tracker.issues.size;
    for (const dryRun of [true, false]) {
      const body = { change: convert(OTHER_PROJECT), dryRun };
      const answer = await send(secret, { path: `/issues/${issue.id}/checklist/changes`, body });
      expect(problemOf(answer)).toMatchObject({ status: 403, code: 'FORBIDDEN', field: 'change' });
    }
    expect(it.tracker.issues.size).toBe(before);
    const own = { change: convert(PROJECT), dryRun: true };
    expect((await send(secret, { path: `/issues/${issue.id}/checklist/changes`, body: own })).status).toBe(200);
    expect((await issue.read()).text).toBe('- Ship it');
  });

  const clear = (id: string) => ({
    path: `/issues/${id}/checklist/changes`,
    body: { change: { kind: 'clearChecklist' } },
  });

  test('a change needs the tracker’s permission for the app to edit issues, asked once for a project', async () => {
    const [first, second] = [await issueWith(), await issueWith()];
    const refusing = await startApp(use().store);
    const { secret } = await createToken(use().store, refusing);
    refusing.tracker.granted.set(ADDON_ACCOUNT, ['BROWSE_PROJECTS']);
    const issue = await newIssue(refusing);
    await issue.edit(update('- a'));
    expect(problemOf(await send(secret, clear(issue.id), refusing))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await issue.read()).text).toBe('- a');
    await refusing.app.close();

    const before = it.tracker.calls.length;
    for (const { id } of [first, second]) expect((await send(token, clear(id))).status).toBe(200);
    const checks = it.tracker.calls.slice(before).filter(({ path }) => path.endsWith('/permissions/check'));
    expect(checks.length).toBeLessThanOrEqual(1);
    for (const { body } of checks) expect(body).not.toHaveProperty('accountId');
  });

  test('without a license, reading goes on and changes do not', async () => {
    const issue = await issueWith();
    await use().raw('update tenant set licensed = false where tenant = $1', [it.tenant.id]);
    expect(problemOf(await send(token, clear(issue.id)))).toMatchObject({ status: 403, code: 'UNLICENSED' });
    expect((await send(token, { path: `/issues/${issue.id}/checklist` })).status).toBe(200);
    await use().raw('update tenant set licensed = true where tenant = $1', [it.tenant.id]);
  });

  test('the Free edition’s limit of items holds for programs, too, and refuses growth only', async () => {
    const free = await startApp(use().store, {}, 2);
    const { secret } = await createToken(use().store, free);
    const issue = await newIssue(free);
    await issue.edit(update('- a\n- b'));
    const change = (edit: object) =>
      send(secret, { path: `/issues/${issue.id}/checklist/changes`, body: { change: edit } }, free);
    expect(problemOf(await change({ kind: 'addChecklistItemsFromText', text: 'c' }))).toMatchObject({
      ...{ status: 422, code: 'LIMIT_REACHED', detail: limitReached.items },
    });
    const target = { index: 0, text: 'a' };
    expect((await change({ kind: 'setItemStatus', target, status: 'done' })).status).toBe(200);
    expect((await issue.read()).text).toBe('+ a\n- b');
    await free.app.close();
  });
});
