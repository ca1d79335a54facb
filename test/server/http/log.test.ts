import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proxiesOf } from '../../../src/server/http/request-id.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { EDITOR, newIssue } from '../support/checklists.ts';
import { mutate } from '../support/mutate.ts';
import { onStore } from '../support/stores.ts';

const ID = '7f3a9c0d5b1e4f628a90bc12de34f567';

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store, {
      TRUST_PROXY: '10.0.0.0/8',
      CLIENT_DIR: join(import.meta.dirname, '../../../src/ui'),
    });
  });
  afterAll(() => it.app.close());

  /** The lines of requests that an action logs. */
  async function lines(action: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
    const before = it.logged.length;
    await action();
    return it.logged
      .slice(before)
      .map(line => JSON.parse(line))
      .filter(({ msg }) => msg === 'request completed');
  }

  const get = (url: string, id: string, remoteAddress: string) =>
    it.app.inject({ url, remoteAddress, headers: { 'x-request-id': id, 'x-forwarded-for': '203.0.113.7' } });

  describe('the id of a request', () => {
    test("is a trusted proxy's, in the log and in the answer", async () => {
      const [line] = await lines(async () => {
        const answer = await get('/health/live', ID, '10.1.2.3');
        expect(answer.headers['x-request-id']).toBe(ID);
      });
      expect(line).toMatchObject({ reqId: ID, operation: '/health/live', outcome: 'ok' });
    });

    test.each([
      ['a caller', ID, '203.0.113.9'],
      ['a proxy that passes on anything', `${ID}"\n{"level":60`, '10.1.2.3'],
      // No hexadecimal digits: a generated id may contain them.
      ['a proxy with a short one', 'zz', '10.1.2.3'],
    ])('is not that of %s', async (_, id, from) => {
      const [line] = await lines(async () => {
        const answer = await get('/api/unknown', id, from);
        expect(answer.statusCode).toBe(404);
        expect(answer.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
      });
      expect(JSON.stringify(line)).not.toContain(id.slice(0, 10));
      expect(line).toMatchObject({ outcome: 'NOT_FOUND' });
    });

    test('is in the header of refusals, too', async () => {
      const { statusCode, headers } = await it.app.inject({ method: 'POST', url: '/graphql', payload: {} });
      expect([statusCode, String(headers['x-request-id']).length]).toEqual([401, 36]);
    });
  });

  describe('the line of a request tells operation, outcome and tenant', () => {
    const tenant = () => it.tenant.id;

    const read = (account: string, id: string) =>
      lines(() => it.graphql(account, `{ checklist(issueId: "${id}") { text } }`));

    test('of a query', async () => {
      const [line] = await read('reader', (await newIssue(it, EDITOR, 'reader')).id);
      expect(line).toMatchObject({ operation: 'checklist', outcome: 'ok', tenant: tenant() });
    });

    test('of a refused one, and of a refused change', async () => {
      const [refused] = await read('stranger', (await newIssue(it, [], 'stranger')).id);
      expect(refused).toMatchObject({ operation: 'checklist', outcome: 'NOT_FOUND', tenant: tenant() });
      const seen = await newIssue(it, ['BROWSE_PROJECTS'], 'visitor');
      const base = { epoch: '', seq: 0, hash: '' };
      const input = { text: '- [ ] hidden', base };
      const [change] = await lines(() => mutate(it, 'visitor', seen, 'updateChecklistFromText', input));
      expect(change).toMatchObject({ operation: 'changeChecklist', outcome: 'FORBIDDEN', tenant: tenant() });
      expect(JSON.stringify(change)).not.toContain('hidden');
    });

    test('of a page, of an event, and of a wrong token, which proves no tenant', async () => {
      const page = '/checklist?surface=issue-content';
      const event = '/webhooks/issue-updated?issueId=1';
      const found = await lines(async () => {
        await it.app.inject(`${page}&jwt=${it.requestToken('GET', page)}`);
        const authorization = `JWT ${it.requestToken('POST', event)}`;
        await it.app.inject({ method: 'POST', url: event, headers: { authorization } });
        await it.app.inject(`${page}&jwt=wrong`);
      });
      expect(found.map(({ outcome, tenant: of }) => [outcome, of])).toEqual([
        ['ok', tenant()],
        ['ok', tenant()],
        ['UNAUTHORIZED', undefined],
      ]);
      expect(JSON.stringify(found)).not.toMatch(/jwt|surface/);
    });
  });
});

test('proxies are addresses, networks and names of networks', () => {
  const isProxy = proxiesOf(['127.0.0.1', '10.0.0.0/8', 'fd00::/8', 'linklocal']);
  const trusted = ['127.0.0.1', '::ffff:127.0.0.1', '10.255.0.1', 'fd12::1', '169.254.1.1', 'fe80::1'];
  const others = ['127.0.0.2', '11.0.0.1', '::ffff:11.0.0.1', 'fc00::1', '::1', '', 'localhost'];
  expect(trusted.filter(address => !isProxy(address))).toEqual([]);
  expect(others.filter(isProxy)).toEqual([]);
  expect(proxiesOf([])('127.0.0.1')).toBe(false);
});
