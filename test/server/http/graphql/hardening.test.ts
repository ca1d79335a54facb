import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { edition } from '../../../../src/domain/edition.ts';
import { startApp, type TestApp, testVault } from '../../support/app.ts';
import { EDITOR, newIssue } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { inputOf, mutate } from '../../support/mutate.ts';
import { onStore } from '../../support/stores.ts';

const TEXT = '# One\n- a\n- b';
const target = { index: 1, text: 'a' };
/** Every operation of a checklist, with an input that changes it. */
const operations: [string, Record<string, unknown>][] = [
  ['updateChecklistFromText', { text: '- other' }],
  ['addChecklistItemsFromText', { text: 'new' }],
  ['setItemStatus', { target, status: 'done' }],
  ['updateChecklistItem', { target, values: { text: 'other' } }],
  ['deleteChecklistItem', { target }],
  ['changeChecklistItems', { edits: [{ kind: 'setItemStatus', target, status: 'done' }] }],
  ['moveChecklistItem', { targets: [target], section: false, index: 3 }],
  ['clearChecklist', {}],
  ['applyTemplateToChecklist', { templateIds: ['t'], mode: 'APPEND' }],
  ['applyDemoTemplateToChecklist', { mode: 'REPLACE' }],
  ['convertItemToIssue', { target, to: 'SUBTASK' }],
  ['restoreChecklistRevision', { epoch: 'e', seq: 1 }],
];
const queries: [string, string][] = [
  ['checklist', '{ text }'],
  ['checklistHistory', '{ entries { seq } }'],
];
const CHANGE = 'mutation run($input: ChangeChecklistInput!) { changeChecklist(input: $input) { errors { code } } }';

onStore(use => {
  let it: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    other = await startApp(use().store);
    return async () => {
      await it.app.close();
      await other.app.close();
    };
  });

  const issueWith = async (value: unknown = TEXT, granted = [...EDITOR, 'CREATE_ISSUES']) => {
    const account = randomUUID();
    const issue = await newIssue(it, granted, account);
    await issue.store(value);
    return { ...issue, account };
  };

  const post = (at: TestApp, token: string, payload: unknown) =>
    at.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });

  const inputFor = (issueId: string, name: string, more: object) => ({
    input: inputOf(name, { issueId, base: { epoch: '', seq: 0, hash: '', text: TEXT }, ...more }),
  });

  /** Claims of a session, signed with any key. */
  async function sessionOf(account: string, key: Uint8Array, expires = '1h', typ = 'session+jwt') {
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    return new SignJWT({ site: tenant.url, settings: { ...tenant.settings, has_checklist: true } })
      .setProtectedHeader({ alg: 'HS256', typ })
      .setIssuer(edition.key)
      .setAudience(tenant.id)
      .setSubject(account)
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(key);
  }
  async function ownKey() {
    const tenant = await it.tenants.find(it.tenant.id);
    return testVault().derive(`session ${tenant?.id} ${tenant?.epoch}`)[0];
  }

  describe.each(operations)('%s', (name, more) => {
    test('accepts tokens of the app, and no forged, expired or foreign one', async () => {
      const issue = await issueWith();
      const query = CHANGE;
      const variables = inputFor(issue.id, name, more);
      const foreign = await startApp(use().store);
      const gone = await foreign.session(issue.account);
      await foreign.tenants.uninstall(foreign.tenant.id);
      await foreign.app.close();
      const forged: [string, string][] = [
        ['nothing', ''],
        ['another key', await sessionOf(issue.account, new Uint8Array(32).fill(1))],
        ['expired', await sessionOf(issue.account, await ownKey(), '-1m')],
        ['another type', await sessionOf(issue.account, await ownKey(), '1h', 'JWT')],
        ['the tracker’s own', it.contextToken(issue.account)],
        ['of a site that uninstalled', gone],
      ];
      for (const [what, token] of forged) {
        const response = await post(it, token, { query, variables });
        expect(response.statusCode, what).toBe(401);
        expect(response.json()).toEqual({ error: 'Unauthorized.' });
      }
      // Valid for its own site, which has no such issue.
      const elsewhere = await post(other, await other.session(issue.account), { query, variables });
      expect(elsewhere.json()).toEqual({ data: { changeChecklist: { errors: [{ code: 'NOT_FOUND' }] } } });
      expect(await issue.text()).toBe(TEXT);

      const log = it.logged.join('');
      for (const [, token] of forged) if (token) expect(log).not.toContain(token.split('.')[2]);
    });

    test('is refused without permission to view or to change the issue', async () => {
      for (const [granted, code] of [
        [[], 'NOT_FOUND'],
        [['EDIT_ISSUES', 'ADMINISTER', 'CREATE_ISSUES'], 'NOT_FOUND'],
        [['BROWSE_PROJECTS'], 'FORBIDDEN'],
      ] as const) {
        const issue = await issueWith(TEXT, [...granted]);
        const answer = await it.graphql(issue.account, CHANGE, inputFor(issue.id, name, more));
        expect(answer.data).toEqual({ changeChecklist: { errors: [{ code }] } });
        expect(await issue.text()).toBe(TEXT);
      }
      const issue = await issueWith();
      const anonymous = await it.graphql('anonymous', CHANGE, inputFor(issue.id, name, more));
      expect(anonymous.data).toEqual({ changeChecklist: { errors: [{ code: 'NOT_FOUND' }] } });
    });

    test('refuses inputs of another type, names them and changes nothing', async () => {
      const issue = await issueWith();
      const token = await it.session(issue.account);
      const right = inputFor(issue.id, name, more).input;
      for (const [key, wrong] of [
        ['issueId', {}],
        ['issueId', null],
        ['clientId', ['a']],
        ['base', 'none'],
        ['base', { epoch: 1, seq: 'x', hash: [] }],
        ['base', { epoch: '', seq: 2 ** 40, hash: '' }],
        ['unknown', 1],
        ['kind', 1],
        ...Object.keys(more).map(each => [each, [[{}]]] as const),
      ] as const) {
        const isOfChange = key === 'kind' || key in more;
        const input = isOfChange ? { ...right, change: { ...right.change, [key]: wrong } } : { ...right, [key]: wrong };
        const response = await post(it, token, { query: CHANGE, variables: { input } });
        expect(response.statusCode, `${key} ${JSON.stringify(wrong)}`).toBe(400);
        expect(JSON.stringify(response.json().errors)).toContain(key);
      }
      expect(await issue.text()).toBe(TEXT);
    });

    test.each([
      ['does not answer', 503, 'TRACKER_UNAVAILABLE'],
      ['refuses it', 400, 'TRACKER_REFUSED'],
    ])('reports that the tracker %s, and changes nothing', async (_, status, code) => {
      const issue = await issueWith();
      it.tracker.faults.push(({ path }) => (path.includes(issue.id) ? new Response('', { status }) : undefined));
      const answer = await it.graphql(issue.account, CHANGE, inputFor(issue.id, name, more));
      it.tracker.faults.length = 0;
      expect(answer.data).toEqual({ changeChecklist: { errors: [{ code }] } });
      expect(await issue.text()).toBe(TEXT);
    });
  });

  describe.each(queries)('%s', (name, selection) => {
    const query = `query ask($issueId: ID!) { ${name}(issueId: $issueId) ${selection} }`;

    test('requires a token of the app and permission to view the issue', async () => {
      const issue = await issueWith();
      const variables = { issueId: issue.id };
      const forged = await sessionOf(issue.account, new Uint8Array(32).fill(1));
      expect((await post(it, forged, { query, variables })).statusCode).toBe(401);
      const expired = await sessionOf(issue.account, await ownKey(), '-1m');
      expect((await post(it, expired, { query, variables })).statusCode).toBe(401);
      for (const [at, account] of [
        [other, issue.account],
        [it, 'stranger'],
      ] as const) {
        const { data, errors } = (await post(at, await at.session(account), { query, variables })).json();
        expect(data).toBeNull();
        expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
      }
    });

    test.each(['', '0', '-1', '1e3', "1'or'1", '../../myself', '1'.repeat(40), '\u0000', '٣'])(
      'finds nothing for the id %j',
      async issueId => {
        const answer = await it.graphql('alice', query, { issueId });
        expect(answer).toMatchObject({ data: null, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
      },
    );
  });

  describe('oversized input', () => {
    test('many aliases, deep queries, and bodies larger than any text', async () => {
      const issue = await issueWith();
      const token = await it.session(issue.account);
      const clear = (count: number) =>
        `mutation run($input: ChangeChecklistInput!) { ${Array.from({ length: count }, (_, index) => `a${index}: changeChecklist(input: $input) { notices }`).join(' ')} }`;
      const variables = inputFor(issue.id, 'clearChecklist', {});
      expect((await post(it, token, { query: clear(6), variables })).statusCode).toBe(400);
      expect((await post(it, token, { query: clear(200), variables })).statusCode).toBe(400);
      const huge = inputFor(issue.id, 'updateChecklistFromText', { text: 'x'.repeat(530_000) });
      expect((await post(it, token, { query: CHANGE, variables: huge })).statusCode).toBe(413);
      expect(await issue.text()).toBe(TEXT);
    });

    test.each<[string, string, (much: string) => Record<string, unknown>]>([
      ['text', 'updateChecklistFromText', much => ({ text: much })],
      ['text', 'addChecklistItemsFromText', much => ({ text: much })],
      ['item text', 'updateChecklistItem', much => ({ target, values: { text: much } })],
      ['details', 'updateChecklistItem', much => ({ target, values: { details: much } })],
      ['a name', 'updateChecklistItem', much => ({ target, values: { assignee: null, names: { x: much } } })],
      ['a status', 'setItemStatus', much => ({ target, status: much })],
      ['a person', 'updateChecklistItem', much => ({ target, values: { assignee: much } })],
      ['a day', 'updateChecklistItem', much => ({ target, values: { dueDate: much } })],
      ['a row', 'deleteChecklistItem', much => ({ target: { index: 1, text: much } })],
      ['a template', 'applyTemplateToChecklist', much => ({ templateIds: [much], mode: 'APPEND' })],
      ['an epoch', 'restoreChecklistRevision', much => ({ epoch: much, seq: 1 })],
      ['an id', 'clearChecklist', much => ({ clientId: much })],
      ['a base', 'clearChecklist', much => ({ base: { epoch: much, seq: 1, hash: much } })],
    ])(
      '%s of %s',
      async (_, name, more) => {
        for (const much of ['x'.repeat(200_000), '\n- '.repeat(60_000), '[~accountid:x] '.repeat(12_000)]) {
          const issue = await issueWith();
          const answer = await it.graphql(issue.account, CHANGE, inputFor(issue.id, name, more(much)));
          const errors = Object(answer.data).changeChecklist?.errors;
          if (errors?.length === 0) continue;
          expect(errors).toHaveLength(1);
          expect(errors[0].code).not.toBe('TRACKER_UNAVAILABLE');
          expect(await issue.text()).toBe(TEXT);
        }
      },
      20_000,
    );
  });

  describe('a property with invalid content', () => {
    const size = 32_768;
    const deep = `${'['.repeat(1_000)}${']'.repeat(1_000)}`;
    test.each<[string, unknown]>([
      ['a string that fills it', 'x'.repeat(size - 2)],
      ['a string of line breaks', '\n'.repeat(size / 2 - 1)],
      ['a string of marks', '- [~'.repeat(size / 4 - 1)],
      ['control characters', '\u0001\u0000\uD800'.repeat(1_800)],
      ['deeply nested brackets', JSON.parse(deep)],
      ['another shape', { v: 1, epoch: 7, seq: {}, text: ['x'.repeat(30_000)] }],
      ["the app's shape with an invalid number", { v: 1, epoch: 'e', seq: 1e300, name: 'n', text: 'x'.repeat(32_000) }],
      [
        "the app's shape with invalid names",
        { v: 1, epoch: '\u0000', seq: -1, name: '\u0000'.repeat(99), text: '- a' },
      ],
    ])(
      '%s is read, and every operation succeeds or is refused with a message',
      async (_, value) => {
        // What an issue had before its first change is adopted; its copies hold what was read, or stay as they are.
        provokes({ differences: true });
        const issue = await issueWith(value);
        const reading = await it.graphql(issue.account, 'query read($id: ID!) { checklist(issueId: $id) { text } }', {
          id: issue.id,
        });
        expect(reading.errors).toBeUndefined();
        const { text } = Object(reading.data).checklist;
        for (const [name, more] of operations) {
          const again = await issueWith(value);
          const { errors } = await mutate(it, again.account, again, name, more);
          for (const { code, message } of errors) {
            expect(code).not.toBe('TRACKER_UNAVAILABLE');
            expect(message).toMatch(/\w+.*\.$/);
            expect(message).not.toBe('Something went wrong.');
          }
          const stored = await again.stored();
          if (errors.length > 0 && !isDeepStrictEqual(stored, value)) expect(stored).toMatchObject({ v: 1, text });
        }
        expect(it.logged.join('')).not.toMatch(/x{100}|\[{100}/);
      },
      60_000,
    );
  });
});
