import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGraphql } from '../../../src/client/graphql.ts';
import { reportForeignChanges, reportMissing } from '../../../src/client/live/foreign-changes.ts';
import { createSession } from '../../../src/client/session.ts';
import { createStore } from '../../../src/client/store.ts';
import { issueFlags } from '../../../src/domain/permissions.ts';
import { FIELD_NAME, storageKey } from '../../../src/domain/storage.ts';
import { anonymous } from '../../../src/domain/user.ts';
import { hashText } from '../../../src/text/document.ts';
import { fakeBridge, SIGN_IN, sessionToken, status } from '../fake-bridge.ts';
import { acknowledged, issue, property, shown, world } from '../world.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { visibilityState: 'visible' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A checklist that shows this acknowledged text. */
const viewOf = (text: string) => ({ base: { epoch: 'e', seq: 2, text } });

/** A frame whose host reports issue changes, and a tracker with these copies. */
function frame(copies: { property?: unknown; field?: string }) {
  const held = { ...copies };
  const listeners = new Set<(issueId: string) => void>();
  const hints: unknown[] = [];
  const bridge = Object.assign(
    fakeBridge({
      tracker: () => ({
        properties: { [storageKey('checklist')]: held.property },
        names: { field_1: FIELD_NAME },
        fields: { field_1: held.field ?? null },
      }),
      server: (path, { json }) => {
        if (path === SIGN_IN) return { token: sessionToken('one') };
        hints.push((json as { variables: unknown }).variables);
        return { data: { reportSeen: true } };
      },
    }),
    {
      onIssueChanged: (listener: (issueId: string) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  );
  const view = createStore<ReturnType<typeof viewOf> | undefined>(viewOf('- ours'));
  const stop = reportForeignChanges({ bridge, graphql: createGraphql(bridge, createSession(bridge)) }, issue, view);
  const change = (issueId = issue.issueId) => {
    for (const listener of listeners) listener(issueId);
  };
  const looks = () => bridge.calls.filter(({ to }) => to === 'tracker').length;
  return { held, bridge, view, stop, change, hints, looks, listeners };
}

const own = (text: string, seq = 2) => ({ v: 1, epoch: 'e', seq, name: 'Checklists', text });

test('a foreign text in the property is reported to our server, with its position', async () => {
  const { change, hints } = frame({ property: own('- ours, and theirs') });
  change();
  await vi.advanceTimersByTimeAsync(0);
  const place = { epoch: 'e', seq: 2, hash: await hashText('- ours, and theirs') };
  expect(hints).toEqual([{ issueId: issue.issueId, property: place }]);
});

test('a foreign text in the field is reported, too', async () => {
  const { change, hints } = frame({ property: own('- ours'), field: '- theirs\r\n' });
  change();
  await vi.advanceTimersByTimeAsync(0);
  expect(hints).toEqual([{ issueId: issue.issueId, field: await hashText('- theirs\n') }]);
});

test('denied permissions are reported, except without any or without an answer of the tracker', async () => {
  const { bridge, hints } = frame({});
  const graphql = createGraphql(bridge, createSession(bridge));
  const all = Object.fromEntries(issueFlags.map(flag => [flag, true]));
  const user = { ...anonymous, ...all, isAnonymous: false };
  const fewer = { ...user, canEditChecklist: false };
  const { issueId } = issue;
  await reportMissing(graphql, { issueId }, user, { licensed: true });
  await reportMissing(graphql, { issueId }, fewer, { licensed: false });
  await reportMissing(graphql, { issueId }, anonymous, { licensed: true });
  await reportMissing(graphql, {}, fewer, { licensed: true });
  expect(hints).toEqual([]);
  await reportMissing(graphql, { issueId }, fewer, { licensed: true });
  expect(hints).toEqual([{ issueId, lacking: ['canEditChecklist'] }]);
});

test.each([
  ['the same', { property: own('- ours'), field: '- ours' }],
  ['tidied up', { property: own('- ours'), field: '* ours \n\n' }],
  ['empty', { property: own('- ours'), field: '' }],
  ['not there', {}],
])('copies that are %s are not reported', async (_name, copies) => {
  const { change, hints, looks } = frame(copies);
  change();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(hints).toEqual([]);
  expect(looks()).toBe(2);
});

test('a field with an earlier acknowledged text is stale, not foreign', async () => {
  const { change, hints, view, held } = frame({ property: own('- ours'), field: '- ours' });
  held.property = own('- ours, later', 3);
  view.set(viewOf('- ours, later'));
  change();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(hints).toEqual([]);
});

test('however often the host reports, there is one check a second, and one more when our server accepts reports again', async () => {
  const { change, looks } = frame({ property: own('- ours') });
  change();
  await vi.advanceTimersByTimeAsync(0);
  expect(looks()).toBe(1);
  for (let time = 0; time < 20; time++) {
    change();
    await vi.advanceTimersByTimeAsync(40);
  }
  expect(looks()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(looks()).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks()).toBe(3);
});

test('nothing is read for other issues, while the page is hidden, or after the end', async () => {
  const { change, looks, stop, view, listeners } = frame({ property: own('- theirs') });
  change('10002');
  await vi.advanceTimersByTimeAsync(60_000);
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  change();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.stubGlobal('document', { visibilityState: 'visible' });
  view.set(undefined);
  change();
  await vi.advanceTimersByTimeAsync(60_000);
  view.set(viewOf('- ours'));
  change();
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks()).toBe(0);
  expect(listeners.size).toBe(0);
});

test('a tracker or a server that does not answer is called again at the next change', async () => {
  const { change, bridge, hints, held } = frame({ property: own('- ours') });
  const { tracker } = bridge;
  bridge.tracker = () => status(500);
  change();
  await vi.advanceTimersByTimeAsync(60_000);
  bridge.tracker = tracker;
  held.property = own('- theirs');
  change();
  await vi.advanceTimersByTimeAsync(0);
  expect(hints).toHaveLength(1);
});

test('an open checklist follows its issue until it is closed', async () => {
  vi.useRealTimers();
  const theirs = property({ seq: 1, text: '- theirs' });
  const asked: unknown[] = [];
  const frame = world({
    tracker: () => theirs,
    query: (_path, { json }) => {
      asked.push((json as { variables: object }).variables);
      return { data: { checklist: { ...acknowledged({ seq: 1, text: '- ours' }).checklist, copyNotice: null } } };
    },
  });
  const listeners = new Set<(issueId: string) => void>();
  frame.bridge.onIssueChanged = listener => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const stop = frame.store.start();
  await frame.store.refresh();
  expect(shown(frame.store)).toBe('- ours');
  await vi.waitUntil(() => listeners.size > 0);
  const before = asked.length;
  for (const listener of listeners) listener(issue.issueId);
  const hash = await hashText('- theirs');
  await vi.waitUntil(() => asked.length > before);
  expect(asked.at(-1)).toEqual({ issueId: issue.issueId, property: { epoch: 'e', seq: 1, hash } });
  stop();
  expect(listeners.size).toBe(0);
});
