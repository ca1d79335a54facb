import { beforeAll, expect, test } from 'vitest';
import { edition } from '../../../../src/domain/edition.ts';
import { EDITOR, newIssue } from '../../support/checklists.ts';
import { forgeOf, newSite, startForge } from '../../support/forge.ts';
import { onStore } from '../../support/stores.ts';

const SECRET = 'a secret of a decent length';

onStore(use => {
  const app = forgeOf(use, { FORGE_PROBE: SECRET });
  const site = newSite();
  beforeAll(async () => {
    app.forge.past = { key: app.it.tenant.id };
    await app.signIn(site, { userToken: app.userToken('alice') });
  });
  const probe = (about: Record<string, string>, authorization = `Bearer ${SECRET}`) =>
    app.it.app.inject({ url: `/forge/probe?${new URLSearchParams(about)}`, headers: { authorization } });

  test('makes each call as the app and as the account, and returns outcomes and limits', async () => {
    const { id } = await newIssue(app.it, EDITOR, 'alice');
    let left = 100;
    const counts = () => {
      left -= 1;
      return Response.json({ accountId: 'alice' }, { headers: { RateLimit: `"global-app-quota";r=${left};t=60` } });
    };
    app.forge.fault = path => (path === '/rest/api/2/myself' || path === '/rest/api/2/field' ? counts() : undefined);
    const answer = await probe({ site: site.cloudId, issue: id, account: 'alice', request: 'HELP-1' });
    app.forge.fault = undefined;
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toContain('text/plain');
    const lines = answer.body.trim().split('\n');
    expect(lines[0]).toMatch(/^as +call +status +ms +limits before +limits after$/);
    const table = (as: string) => lines.filter(line => line.startsWith(`${as} `));
    expect(table('app')).toHaveLength(table('asker').length);
    const line = (as: string, call: string) => table(as).find(each => each.includes(` ${call} `)) ?? '';
    expect(line('app', 'readMyself')).toMatch(/ 200 +\d+ +- +RateLimit: "global-app-quota";r=99;t=60$/);
    expect(line('app', 'readClientKey')).toMatch(/ 200 +\d+ +RateLimit: "global-app-quota";r=99;t=60 +-$/);
    expect(line('app', 'check, accountId')).toContain(' 403 ');
    expect(answer.body).toContain('leave FORGE_ASK=asker');
    expect(line('asker', 'check, own')).toContain(' 200 ');
    expect(app.it.tracker.issues.get(id)?.fields.summary).toBe('An issue');
    for (const token of app.forge.good.keys()) expect(answer.body).not.toContain(token);
  });

  test('says what to switch for each outcome', async () => {
    const { id } = await newIssue(app.it);
    const answers: Record<string, Response> = {
      '/app/report-accounts': new Response('{}', { status: 403 }),
      [`/rest/atlassian-connect/1/migration/${edition.key}/checklist-text/task`]: Response.json({
        status: 'IN_PROGRESS',
      }),
    };
    app.forge.fault = path => answers[path];
    app.it.tracker.isRestricted = true;
    const { body } = await probe({ site: site.cloudId, issue: id, project: 'PR' });
    Object.assign(app.forge, { fault: undefined });
    app.it.tracker.isRestricted = false;
    expect(body).toMatch(/^app +migration checklist-text +200 IN_PROGRESS /m);
    expect(body).toContain('approve the version with the scope report:personal-data');
    expect(body).toContain('Fields are written with mail to watchers in this project.');
    expect(body).toContain('start it with &migrate=1');
    expect(body).not.toContain('administrators cannot open the settings');
  });

  test.each<[site: string, path: string, status: number, words: string]>([
    ['that hides the issue', '/rest/api/2/issue/{}', 404, 'The app does not see this issue.'],
    ['that denies the issue by a policy', '/rest/api/2/issue/{}', 403, 'end the data security policy'],
    ['whose issue is archived', '/rest/api/2/issue/{}/properties/{}', 400, 'it is archived'],
    ['without our permissions', '/rest/api/3/permissions/check', 400, 'Probe again in some minutes.'],
    ['that denies the client key', '/rest/atlassian-connect/1/addons/{}/properties/{}', 403, 'FORGE_PAST=none'],
    ['that closes bulk changelogs', '/rest/api/3/changelog/bulkfetch', 403, 'Changelogs of many issues are closed'],
    ['that refuses compare-and-set', '/rest/api/3/issue/properties/{}', 400, 'Compare-and-set is refused'],
    ['that refuses the search', '/rest/api/3/user/permission/search', 400, 'the settings say "Unknown"'],
    ['that denies a request', '/rest/servicedeskapi/request/{}', 403, 'its panel stays read-only'],
  ])('on a site %s says what to do', async (_site, path, refusal, words) => {
    const { id } = await newIssue(app.it);
    const pattern = new RegExp(`^${path.replaceAll('{}', '[^/]+')}$`);
    const printed = async (status: number) => {
      app.forge.fault = asked => (pattern.test(asked) ? new Response('{}', { status }) : undefined);
      const { body } = await probe({ site: site.cloudId, issue: id, project: 'PR', request: 'HELP-1' });
      app.forge.fault = undefined;
      return body;
    };
    expect(await printed(200)).not.toContain(words);
    expect(await printed(refusal)).toContain(words);
  });

  test('works without an account, and reports an account without a token', async () => {
    const { id } = await newIssue(app.it);
    const appOnly = await probe({ site: site.cloudId, issue: id });
    expect(appOnly.body).not.toContain('asker');
    const refused = await probe({ site: site.cloudId, issue: id, account: 'eve' });
    expect(refused.body).toMatch(/^asker +offlineUserAuthToken: refused$/m);
  });

  test('requires the secret, and a known site', async () => {
    const about = { site: site.cloudId, issue: '1' };
    expect((await probe(about, 'Bearer another secret')).statusCode).toBe(401);
    expect((await probe(about, '')).statusCode).toBe(401);
    expect((await probe({ ...about, site: newSite().cloudId })).statusCode).toBe(404);
    expect((await probe({ ...about, issue: '../1' })).statusCode).toBe(400);
    const without = await startForge(use());
    const headers = { authorization: `Bearer ${SECRET}` };
    const answer = await without.it.app.inject({ url: `/forge/probe?${new URLSearchParams(about)}`, headers });
    expect(answer.statusCode).not.toBe(200);
    expect(answer.body).not.toContain('limits');
    await without.it.app.close();
  });
});
