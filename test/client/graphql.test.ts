import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { HostUnreachable } from '../../src/bridge/bridge.ts';
import { changeOperation, getChecklist } from '../../src/client/checklist-operations.ts';
import { failureMessage, MutationRefused, retryQuery, ServerError, TrackerError } from '../../src/client/errors.ts';
import { createGraphql, type GraphqlOptions } from '../../src/client/graphql.ts';
import { createSession } from '../../src/client/session.ts';
import { featureFlagsQuery, getFeatureFlags } from '../../src/client/user.ts';
import { failures } from '../../src/domain/messages.ts';
import { fakeBridge, type Handler, SIGN_IN, sessionToken, status } from './fake-bridge.ts';

const checklist = {
  issueId: '1',
  epoch: 'e',
  seq: 2,
  hash: 'h',
  name: 'Checklists',
  text: '- a',
  rowIds: ['r1'],
  source: 'PROPERTY',
  copyNotice: null,
};
const payload = { checklist, conflicts: [], notices: [], errors: [] };
const input = {
  issueId: '1',
  clientId: 'c',
  base: { epoch: 'e', seq: 1, hash: 'h' },
  change: { kind: 'setItemStatus' as const, target: { index: 0, text: 'a' }, status: 'done' },
};
const setItemStatus = changeOperation('setItemStatus');

/** A client whose session issues the tokens 1, 2, 3 … */
function client(graphql: Handler, options?: GraphqlOptions) {
  let tokens = 0;
  const bridge = fakeBridge({
    server: (path, init) => {
      if (path !== SIGN_IN) return graphql(path, init);
      tokens += 1;
      return { token: sessionToken(String(tokens)) };
    },
  });
  const sent = () => bridge.calls.filter(({ path }) => path === '/graphql').map(({ init }) => init);
  return { bridge, sent, client: createGraphql(bridge, createSession(bridge), options) };
}

test('an operation is posted with its name, variables and the session token', async () => {
  const { client: graphql, sent } = client(() => ({ data: { checklist } }));
  expect(await graphql.query(getChecklist, { issueId: '1' })).toEqual({ checklist });
  expect(sent()).toEqual([
    {
      method: 'POST',
      headers: { authorization: expect.stringMatching(/^JWT head\./) },
      json: { query: getChecklist.source, operationName: 'getChecklist', variables: { issueId: '1' } },
    },
  ]);
});

test('queries go by GET when that is configured, mutations never', async () => {
  const { client: graphql, sent } = client(
    (_path, { method }) => ({ data: method === 'POST' ? { changeChecklist: payload } : { checklist } }),
    { getQueries: true },
  );
  await graphql.query(getChecklist, { issueId: '1' });
  await graphql.mutate(setItemStatus, { input }, data => data.changeChecklist);
  expect(sent()).toMatchObject([
    { query: { query: getChecklist.source, operationName: 'getChecklist', variables: '{"issueId":"1"}' } },
    { method: 'POST', json: { operationName: 'setItemStatus' } },
  ]);
});

test.each([
  [300, '', 'Something went wrong.'],
  [400, '{"errors":[{"message":"Bad query."},{"message":"Other."}]}', 'Bad query.'],
  [403, '{"error":"Forbidden."}', 'Forbidden.'],
  [502, '<html>Bad gateway</html>', 'Something went wrong.'],
  [200, '{"data":null,"errors":[{"message":"No such issue."}]}', 'No such issue.'],
  [200, '<html>', 'Something went wrong.'],
  [200, '{"data":null}', 'Something went wrong.'],
  [200, '{"data":{}}', 'Something went wrong.'],
  [200, '{"data":"checklist"}', 'Something went wrong.'],
  [200, '{"status":"ok"}', 'Something went wrong.'],
])('status %s with %s is a failure', async (code, text, message) => {
  const { client: graphql } = client(() => status(code, text));
  const failure = await graphql.query(getChecklist, { issueId: '1' }).catch(error => error);
  expect(failure).toBeInstanceOf(ServerError);
  expect(failure).toMatchObject({ status: code, message });
});

test('a refused token is renewed once, and the operation repeated once', async () => {
  const once = client((_path, { headers }) =>
    headers?.authorization === `JWT ${sessionToken('1')}` ? status(401) : { data: { checklist } },
  );
  vi.useFakeTimers({ now: 1_000_000_000_000 });
  try {
    expect(await once.client.query(getChecklist, { issueId: '1' })).toEqual({ checklist });
    expect(once.sent()).toHaveLength(2);

    const always = client(() => status(401, '{"error":"Unauthorized."}'));
    await expect(always.client.query(getChecklist, { issueId: '1' })).rejects.toMatchObject({
      status: 401,
      message: 'Unauthorized.',
    });
    expect(always.sent()).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('without a session nothing is sent', async () => {
  const bridge = fakeBridge({ server: () => status(401, '{"error":"Unauthorized."}') });
  const graphql = createGraphql(bridge, createSession(bridge));
  await expect(graphql.query(getFeatureFlags, {})).rejects.toMatchObject({ status: 401 });
  expect(bridge.calls.map(({ path }) => path)).toEqual([SIGN_IN]);
});

test("a mutation's first error is thrown with code and field", async () => {
  const completed = vi.fn();
  const errors = [
    { code: 'TOO_SHORT', field: 'name', message: 'Too short.' },
    { code: 'X', field: null, message: 'Other.' },
  ];
  const { client: graphql } = client(
    () => ({ data: { changeChecklist: { checklist: null, conflicts: [], notices: [], errors } } }),
    { completed },
  );
  const failure = await graphql.mutate(setItemStatus, { input }, data => data.changeChecklist).catch(error => error);
  expect(failure).toBeInstanceOf(MutationRefused);
  expect(failure).toMatchObject({ code: 'TOO_SHORT', field: 'name', message: 'Too short.' });
  expect(completed).not.toHaveBeenCalled();
});

test('succeeded operations are reported by name', async () => {
  const completed = vi.fn();
  const { client: graphql } = client(
    (_path, { json }) =>
      JSON.stringify(json).includes('mutation') ? { data: { changeChecklist: payload } } : { data: { checklist } },
    { completed },
  );
  await graphql.query(getChecklist, { issueId: '1' });
  await graphql.mutate(setItemStatus, { input }, data => data.changeChecklist);
  expect(completed.mock.calls).toEqual([['getChecklist'], ['setItemStatus']]);
});

test('feature flags are an object, or a failure', async () => {
  const flags = (value: unknown) =>
    new QueryClient().fetchQuery(featureFlagsQuery(client(() => ({ data: { featureFlags: value } })).client));
  expect(await flags({ history: true })).toEqual({ history: true });
  await expect(flags('all')).rejects.toThrow();
});

test('a failure has the operation’s message, else its own; a refusal always its own', () => {
  expect(failureMessage(new ServerError(500, 'Oh.'), 'Could not add item.')).toBe('Could not add item.');
  expect(failureMessage(new ServerError(500, 'Oh.'))).toBe('Oh.');
  expect(failureMessage(new MutationRefused('TOO_LARGE', undefined, 'Too large.'), 'Could not add item.')).toBe(
    'Too large.',
  );
  expect(failureMessage(new MutationRefused('UNKNOWN', undefined, ''), 'Could not add item.')).toBe(
    'Could not add item.',
  );
  for (const unknown of [undefined, 'text', new Error()]) expect(failureMessage(unknown)).toBe('Something went wrong.');
});

test('queries are retried only without an answer or after a server error', () => {
  expect(retryQuery(0, new HostUnreachable())).toBe(true);
  expect(retryQuery(0, new TrackerError(503, ''))).toBe(true);
  expect(retryQuery(0, new TrackerError(404, ''))).toBe(false);
  expect(retryQuery(0, new ServerError(401, ''))).toBe(false);
  expect(retryQuery(2, new HostUnreachable())).toBe(false);
});

test('a failure without our words never shows a proxy’s', async () => {
  const { client: graphql } = client(() => ({ status: 503, statusText: 'Service Unavailable', text: '<h1>503</h1>' }));
  await expect(graphql.query(getChecklist, { issueId: '1' })).rejects.toMatchObject({
    status: 503,
    message: failures.unknown,
  });
});
