import { expect, test } from 'vitest';
import { createGraphql } from '../../../src/client/graphql.ts';
import { type Applied, applyTemplate } from '../../../src/client/hierarchy/apply.ts';
import { createSession } from '../../../src/client/session.ts';
import { fakeBridge, SIGN_IN, sessionToken, status } from '../fake-bridge.ts';

interface Sent {
  operationName: string;
  variables: { issueId?: string; input?: { issueId: string; clientId: string; mode: string; base: { text?: string } } };
}
type Errors = { code: string; field: null; message: string }[];

/** A server with these texts that answers an applied template with the errors of `answer`. */
function serving(texts: Record<string, string>, answer: (issueId: string, time: number) => Errors | 'busy' = () => []) {
  const sent: { issueId: string; clientId: string }[] = [];
  const times = new Map<string, number>();
  let concurrent = 0;
  let most = 0;
  const bridge = fakeBridge({
    server: async (path, { json }) => {
      if (path === SIGN_IN) return { token: sessionToken('server') };
      const { operationName, variables } = json as Sent;
      const issueId = variables.issueId ?? variables.input?.issueId ?? '';
      const text = texts[issueId] ?? '';
      const checklist = {
        issueId,
        epoch: 'e',
        seq: 1,
        hash: 'h',
        name: 'Checklists',
        text,
        rowIds: [],
        source: 'PROPERTY',
      };
      if (operationName === 'getChecklist') return { data: { checklist } };
      concurrent += 1;
      most = Math.max(most, concurrent);
      await Promise.resolve();
      concurrent -= 1;
      sent.push({ issueId, clientId: variables.input?.clientId ?? '' });
      const time = (times.get(issueId) ?? 0) + 1;
      times.set(issueId, time);
      const errors = answer(issueId, time);
      if (errors === 'busy') return status(429, '{"error":"Too many."}');
      return { data: { changeChecklist: { checklist: null, conflicts: [], notices: [], errors } } };
    },
  });
  const graphql = createGraphql(bridge, createSession(bridge));
  const controller = new AbortController();
  const run = async (issueIds: string[], onlyEmpty = false) => {
    const results = new Map<string, Applied>();
    await applyTemplate(graphql, {
      ...{ templateId: 't', issueIds, onlyEmpty, pause: 1, signal: controller.signal },
      clientIds: new Map(issueIds.map(id => [id, `client-${id}`])),
      onResult: (id, result) => results.set(id, result),
    });
    return Object.fromEntries(
      [...results].map(([id, each]) => [id, each.kind === 'failed' ? each.message : each.kind]),
    );
  };
  return { run, sent, controller, most: () => most };
}

const refusal = (code: string, message: string): Errors => [{ code, field: null, message }];

test('sends each issue once, two at a time at most', async () => {
  const ids = Array.from({ length: 9 }, (_, index) => String(index));
  const { run, sent, most } = serving({});
  expect(Object.values(await run(ids))).toEqual(ids.map(() => 'done'));
  expect(sent).toHaveLength(ids.length);
  expect(new Set(sent.map(({ issueId }) => issueId))).toEqual(new Set(ids));
  expect(most()).toBeLessThanOrEqual(2);
});

test('skips issues that have items by then, if requested', async () => {
  const { run, sent } = serving({ 1: '- a', 2: '# Only a header\n', 3: '' });
  expect(await run(['1', '2', '3'], true)).toEqual({ 1: 'skipped', 2: 'done', 3: 'done' });
  expect(new Set(sent.map(({ issueId }) => issueId))).toEqual(new Set(['2', '3']));
});

test('temporary failures are retried with the same id; refusals are reported and stop nothing else', async () => {
  const { run, sent } = serving({}, (id, time) => {
    if (id === '1') return time < 3 ? refusal('TRACKER_UNAVAILABLE', 'Away.') : [];
    if (id === '2') return refusal('FORBIDDEN', 'You may not.');
    if (id === '3') return time < 2 ? 'busy' : [];
    return refusal('TRACKER_UNAVAILABLE', 'Away for long.');
  });
  expect(await run(['1', '2', '3', '4'])).toEqual({ 1: 'done', 2: 'You may not.', 3: 'done', 4: 'Away for long.' });
  const tries = (id: string) => sent.filter(({ issueId }) => issueId === id);
  expect([tries('1').length, tries('2').length, tries('3').length, tries('4').length]).toEqual([3, 1, 2, 5]);
  expect(new Set(tries('1').map(({ clientId }) => clientId))).toEqual(new Set(['client-1']));
});

test('stops when aborted', async () => {
  const { run, sent, controller } = serving({}, id => {
    if (id === '1') controller.abort();
    return [];
  });
  await run(['0', '1', '2', '3', '4', '5']);
  expect(sent.length).toBeLessThan(6);
});
