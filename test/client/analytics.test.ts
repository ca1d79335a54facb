import { expect, test, vi } from 'vitest';
import { HostUnreachable } from '../../src/bridge/bridge.ts';
import { track, trackOperation } from '../../src/client/analytics.ts';
import { createSession } from '../../src/client/session.ts';
import { analyticsEvents, eventOf, isTracked } from '../../src/domain/events.ts';
import { type FakeBridge, fakeBridge, SIGN_IN, sessionToken, status } from './fake-bridge.ts';

/** A server that issues sessions and receives events. */
function world({ analytics = true, answer = () => status(204) } = {}) {
  const bridge = fakeBridge({
    server: path => (path === '/api/analytics' ? answer() : { token: sessionToken('session', { analytics }) }),
  });
  const session = createSession(bridge);
  return { bridge, session, events: () => eventsAt(bridge) };
}

const eventsAt = ({ calls }: FakeBridge) =>
  calls.filter(({ path }) => path === '/api/analytics').map(({ init }) => init.json);

/** Waits until a sent event would have reached the server. */
const settled = async ({ bridge, session }: ReturnType<typeof world>) => {
  await session.token();
  await bridge.owner();
  await Promise.resolve();
};

test('each event is one call with the session token', async () => {
  const it = world();
  track(it, 'Assigned items queried', { surface: 'page' });
  await vi.waitFor(() => expect(it.events()).toHaveLength(1));
  track(it, 'App Loaded');
  await vi.waitFor(() => expect(it.events()).toHaveLength(2));
  const [first] = it.bridge.calls.filter(({ path }) => path === '/api/analytics');
  expect(first).toEqual({
    to: 'server',
    path: '/api/analytics',
    init: {
      method: 'POST',
      headers: { 'app-key': 'app.smart-checklist.pro_development', authorization: `JWT ${await it.session.token()}` },
      json: { eventType: 'Assigned items queried', eventProperties: { surface: 'page' } },
      signal: expect.any(AbortSignal),
    },
  });
  // The first event waits for the session with the site's settings; the session is requested once.
  expect(it.bridge.calls.filter(({ path }) => path === SIGN_IN)).toHaveLength(1);
});

/** Operations and their events. The panel changes several items by one operation. */
const specified = {
  applyDemoTemplateToChecklist: 'DemoTemplateApplied',
  getTemplates: 'Templates list queried',
  updateTemplate: 'Template mutated',
  addChecklistItemsFromText: 'Checklist mutated',
  deleteChecklistItem: 'Checklist mutated',
  moveChecklistItem: 'Checklist mutated',
  updateChecklistFromText: 'Checklist mutated',
  changeChecklistItems: 'Checklist mutated',
  synchronizeStorages: 'Custom field synchronization requested',
  importFromIssueChecklist: 'Import from issue checklist requested',
} as const;

test.each(Object.entries(specified))('the operation %s is tracked once, as %s', async (operation, event) => {
  const it = world();
  trackOperation(it, operation);
  await vi.waitFor(() => expect(it.events()).toHaveLength(1));
  expect(it.events()).toEqual([{ eventType: event, eventProperties: { operation } }]);
});

test('other operations are not tracked, whatever their name', async () => {
  const it = world();
  for (const operation of ['getFeatureFlags', 'getHistory', 'constructor', '__proto__']) trackOperation(it, operation);
  await settled(it);
  expect(it.events()).toEqual([]);
});

test('every operation leads to a listed event', () => {
  for (const operation of Object.keys(specified)) {
    expect(isTracked(operation) && analyticsEvents.includes(eventOf(operation))).toBe(true);
  }
});

test('a site with analytics off is not tracked', async () => {
  const it = world({ analytics: false });
  track(it, 'App Loaded');
  await settled(it);
  trackOperation(it, 'getTemplates');
  await settled(it);
  expect(it.events()).toEqual([]);
});

test('nothing is sent while the site’s setting is unknown, and no session is requested for it', async () => {
  const bridge = fakeBridge({ server: () => status(500) });
  const session = createSession(bridge);
  track({ bridge, session }, 'App Loaded');
  await vi.waitFor(() => expect(session.get().status).toBe('fail'));
  track({ bridge, session }, 'App Loaded');
  await bridge.owner();
  expect(bridge.calls.map(({ path }) => path)).toEqual([SIGN_IN]);
});

test('events before a session that starts late are sent once, then', async () => {
  const state: { broken: boolean } = { broken: true };
  const answer = () => (state.broken ? status(500) : { token: sessionToken('session', { analytics: true }) });
  const bridge = fakeBridge({ server: path => (path === '/api/analytics' ? status(204) : answer()) });
  const session = createSession(bridge);
  track({ bridge, session }, 'App Loaded', { surface: 'page' });
  await vi.waitFor(() => expect(session.get().status).toBe('fail'));
  await session.token().catch(() => undefined);
  expect(eventsAt(bridge)).toEqual([]);
  state.broken = false;
  session.retry();
  await vi.waitFor(() => expect(eventsAt(bridge)).toHaveLength(1));
  session.retry();
  await vi.waitFor(() => expect(session.get().retrying).toBe(false));
  expect(eventsAt(bridge)).toEqual([{ eventType: 'App Loaded', eventProperties: { surface: 'page' } }]);
});

test('failures are ignored', async () => {
  const failed = vi.fn(() => {
    throw new HostUnreachable();
  });
  const it = world({ answer: failed });
  track(it, 'App Loaded');
  await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce());
  await it.session.token();
});

test('a request to a server that hangs is aborted', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  try {
    const it = world();
    track(it, 'App Loaded');
    await vi.waitFor(() => expect(it.events()).toHaveLength(1));
    const [request] = it.bridge.calls.filter(({ path }) => path === '/api/analytics');
    // Work that other files of this thread left behind may ask for signals, too.
    const calls = timeout.mock.calls.filter((_, at) => timeout.mock.results[at]?.value === request?.init.signal);
    expect(calls).toEqual([[10_000]]);
  } finally {
    timeout.mockRestore();
  }
});
