import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../../src/server/errors/unavailable.ts';
import { appOf, startApp } from '../../support/app.ts';
import { EDITOR, newIssue } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';

const CHANGE = `mutation change($input: ChangeChecklistInput!) {
  changeChecklist(input: $input) {
    checklist { issueId epoch seq hash name text source }
    conflicts { row attribute mine theirs }
    notices
    errors { code field message }
  }
}`;
const update = (text: string) => ({ kind: 'updateChecklistFromText', text });
const READ = 'query read($issueId: ID!) { checklist(issueId: $issueId) { text seq source } }';

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store, { FEATURE_FLAGS: 'dayOffers enforcementNotes' }));

  const post = async (payload: string | Buffer, headers: Record<string, string> = {}) => {
    const authorization = `JWT ${await it.session('alice')}`;
    const all = { authorization, 'content-type': 'application/json', ...headers };
    return it.app.inject({ method: 'POST', url: '/graphql', headers: all, payload });
  };

  test('a checklist is written and read', async () => {
    const { id } = await newIssue(it, EDITOR, 'alice');
    const base = { epoch: '', seq: 0, hash: 'none', text: '' };
    const input = { issueId: id, clientId: 'c1', base, change: { ...update('- a'), name: 'Release' } };
    expect(await it.graphql('alice', CHANGE, { input })).toMatchObject({
      status: 200,
      data: {
        changeChecklist: {
          checklist: { issueId: id, seq: 1, name: 'Release', text: '- a', source: 'PROPERTY' },
          conflicts: [],
          notices: [],
          errors: [],
        },
      },
    });
    const { data } = await it.graphql('alice', READ, { issueId: id });
    expect(data).toEqual({ checklist: { text: '- a', seq: 1, source: 'PROPERTY' } });
  });

  test.each([
    ['no object', 'clearChecklist', 'kind'],
    ['an unknown kind', { kind: 'burnChecklist' }, 'kind'],
    ['a missing value', { kind: 'setItemStatus', target: { index: 0, text: 'a secret item' } }, 'status'],
    ['a wrong one', { kind: 'deleteChecklistItem', target: { index: 0.5, text: 'a secret item' } }, 'target.index'],
    ['an unknown member', { kind: 'clearChecklist', only: 'done' }, 'only'],
    ['one inside', { kind: 'changeChecklistItems', edits: [{ kind: 'clearChecklist' }] }, 'edits.0.kind'],
  ])('a change with %s is refused with its path, and its text is not logged', async (_, change, place) => {
    const { id } = await newIssue(it, EDITOR, 'alice');
    const base = { epoch: '', seq: 0, hash: '', text: '' };
    const answer = await it.graphql('alice', CHANGE, { input: { issueId: id, clientId: 'c', base, change } });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer)).toContain(`something wrong at \\"${place}\\"`);
    expect(it.logged.join('')).not.toContain('secret');
  });

  test('a refusal is in the payload; a read without permission is an error with its code', async () => {
    const { id } = await newIssue(it, ['BROWSE_PROJECTS'], 'viewer');
    const base = { epoch: '', seq: 0, hash: '', text: '' };
    const answer = await it.graphql('viewer', CHANGE, {
      input: { issueId: id, clientId: 'c', base, change: update('- a') },
    });
    expect(answer.data).toMatchObject({
      changeChecklist: { checklist: null, errors: [{ code: 'FORBIDDEN', field: null }] },
    });
    const read = await it.graphql('stranger', READ, { issueId: id });
    expect(read).toMatchObject({ data: null, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    await it.graphql('viewer', '{ nothing }');
    const { body } = await it.app.inject('/metrics');
    expect(body).not.toMatch(/^graphql_failures_total\{/m);
  });

  test('getFeatureFlags is served by POST and GET, mutations by POST only', async () => {
    const query = 'query getFeatureFlags { featureFlags }';
    const featureFlags = { dayOffers: true, enforcementNotes: true };
    expect((await it.graphql('alice', query)).data).toEqual({ featureFlags });
    const headers = { authorization: `JWT ${await it.session('alice')}` };
    const get = await it.app.inject({ url: '/graphql', headers, query: { query, operationName: 'getFeatureFlags' } });
    expect(get.json()).toEqual({ data: { featureFlags } });
    const mutation = 'mutation { changeChecklist(input: {}) { notices } }';
    const refused = await it.app.inject({ url: '/graphql', headers, query: { query: mutation } });
    expect(refused.statusCode).toBeGreaterThanOrEqual(400);
  });

  test('operations are measured by their first field', async () => {
    await it.graphql('alice', 'query anything { flags: featureFlags }');
    const { body } = await it.app.inject('/metrics');
    expect(body).toMatch(/^graphql_duration_seconds_count\{operation="featureFlags",kind="query"\} [1-9]/m);
    expect(body).not.toContain('anything');
  });

  test('an internal error is returned without details and logged without text', async () => {
    provokes({ errors: /./ });
    const { id, store } = await newIssue(it, EDITOR, 'alice');
    await store('- a secret item');
    await use().raw('alter table revision rename to revision_away');
    const base = { epoch: '', seq: 0, hash: '', text: '- a secret item' };
    const input = { issueId: id, clientId: 'c', base, change: update('- another secret') };
    const answer = await it.graphql('alice', CHANGE, { input });
    await use().raw('alter table revision_away rename to revision');
    expect(answer.errors).toMatchObject([{ message: 'Something went wrong.' }]);
    const { body } = await it.app.inject('/metrics');
    expect(body).toMatch(/^graphql_failures_total\{operation="changeChecklist"\} [1-9]/m);
    expect(JSON.stringify(answer)).not.toContain('revision');
    const log = it.logged.join('');
    expect(log).toContain('request failed');
    expect(log).not.toContain('secret item');
    expect(log).not.toContain('another secret');
  });

  test('while the database is unavailable a change is an error; retried later, it counts once', async () => {
    const { store } = use();
    let away: 'no' | 'always' | 'soon' | 'after the commit' = 'no';
    const gone = () => Promise.reject(new StoreUnavailable(new Error('gone')));
    const there = await startApp({
      ...store,
      tenant: (tenant, work) => (away === 'always' ? gone() : store.tenant(tenant, work)),
      batch: (tenant, statements) => (away === 'always' ? gone() : store.batch(tenant, statements)),
      exchange: async (tenant, first, then) => {
        if (away !== 'no' && away !== 'after the commit') return gone();
        const done = await store.exchange(tenant, first, then);
        return away === 'no' ? done : gone();
      },
    });
    const issue = await newIssue(there, EDITOR, 'alice');
    const authorization = `JWT ${await there.session('alice')}`;
    const base = { epoch: '', seq: 0, hash: '', text: '' };
    const variables = { input: { issueId: issue.id, clientId: 'c', base, change: update('- a') } };
    const send = () =>
      there.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { authorization },
        payload: { query: CHANGE, variables },
      });
    for (const since of ['always', 'soon', 'after the commit'] as const) {
      away = since;
      const answer = await send();
      expect(answer.statusCode, since).toBe(503);
      expect(answer.body).toContain("The server didn't answer.");
    }
    away = 'no';
    expect((await send()).json().data.changeChecklist.errors).toEqual([]);
    expect(await issue.text()).toBe('- a');
    expect((await issue.checklists.history(issue.id, { first: 9, filter: {} })).entries).toHaveLength(1);
    await there.app.close();
  });

  describe('is refused with 401', () => {
    test.each([
      ['nothing', ''],
      ['a context token', 'context'],
      ['nonsense', 'JWT a.b.c'],
    ])('%s', async (_name, given) => {
      const authorization = given === 'context' ? `JWT ${it.contextToken()}` : given;
      const response = await post('{"query":"{featureFlags}"}', { authorization });
      expect(response.statusCode).toBe(401);
      expect(response.json()).toEqual({ error: 'Unauthorized.' });
    });
  });

  describe('bad input', () => {
    test.each([
      ['no JSON', 'not json', 400],
      ['half a body', '{"query": "', 400],
      ['an empty body', '', 400],
      ['an array', '[{"query":"{featureFlags}"}]', 400],
      ['a query that is no string', '{"query":{}}', 400],
      ['no query', '{}', 400],
      ['a tree instead of text', '{"query":"{}"}', 400],
      ['a syntax error', '{"query":"{featureFlags"}', 400],
      ['an unknown field', '{"query":"{nothing}"}', 400],
      ['variables of another type', JSON.stringify({ query: READ, variables: { issueId: {} } }), 400],
      ['poisoned variables', '{"query":"{featureFlags}","variables":{"__proto__":{"a":1}}}', 400],
      ['more than half a megabyte', JSON.stringify({ query: `{featureFlags} #${'x'.repeat(600_000)}` }), 413],
    ])('%s', async (_name, payload, status) => {
      const response = await post(payload);
      expect(response.statusCode).toBe(status);
      expect(response.json()).toHaveProperty(response.json().error ? 'error' : 'errors');
    });

    test('another content type', async () => {
      expect((await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode).toBe(415);
      expect((await post('{ featureFlags }', { 'content-type': 'application/graphql' })).statusCode).toBe(415);
    });

    test('a long document, such as one of comments', async () => {
      const ask = async (length: number) => {
        const query = '{ featureFlags }'.padEnd(length, '#\n');
        const { statusCode, body } = await post(JSON.stringify({ query }));
        return [statusCode, body];
      };
      expect(await ask(20_000)).toEqual([200, expect.stringContaining('dayOffers')]);
      expect(await ask(20_001)).toEqual([400, expect.stringContaining('20001 characters, at most 20000')]);
      expect(await ask(340_000)).toEqual([400, expect.stringContaining('340000 characters, at most 20000')]);
    });

    test('documents that differ each time do not fill the memory', async () => {
      setFlagsFromString('--expose-gc');
      const collect: () => void = runInNewContext('gc');
      const send = async (name: string) =>
        post(JSON.stringify({ query: `query ${name} { featureFlags }`.padEnd(19_999, '#\n') }));
      await send('first');
      collect();
      const before = process.memoryUsage().heapUsed;
      for (let count = 0; count < 60; count += 1) expect((await send(`q${count}`)).statusCode).toBe(200);
      collect();
      // With their comments they would be 50 MB.
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(25_000_000);
    });

    test.each([
      ['depth', `{ __schema ${'{ types { fields { type '.repeat(4)}{ name }${' } } }'.repeat(4)} }`],
      ['aliases', `{ ${Array.from({ length: 200 }, (_, index) => `a${index}: featureFlags`).join(' ')} }`],
      ['operations at the root', `{ ${Array.from({ length: 6 }, (_, index) => `a${index}: featureFlags`).join(' ')} }`],
      ['tokens', `{ featureFlags ${'@include(if: true) '.repeat(300)} }`],
      ['a circle of fragments', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
    ])('too many or too much: %s', async (_name, query) => {
      const response = await post(JSON.stringify({ query }));
      expect(response.statusCode).toBe(400);
    });
  });
});
