import { expect, test, vi } from 'vitest';
import { HostUnreachable } from '../../src/bridge/bridge.ts';
import { track, trackOperation } from '../../src/client/analytics.ts';
import { createSession } from '../../src/client/session.ts';
import { analyticsEvents, eventOf, isTracked } from '../../src/domain/events.ts';
import { type FakeBridge, fakeBridge, SIGN_IN, sessionToken, status } from './fake-bridge.ts';

/** A server that gives out sessions and hears of events. */
function world({ analytics = true, hear = () => status(204) } = {}) {
  const bridge = fakeBridge({
    server: path => (path === '/api/analytics' ? hear() : { token: sessionToken('session', { analytics }) }),
  });
  const session = createSession(bridge);
  return { bridge, session, heard: () => heardBy(bridge) };
}

const heardBy = ({ calls }: FakeBridge) =>
  calls.filter(({ path }) => path === '/api/analytics').map(({ init }) => init.json);

/** Long enough for what is under way to have gone where it goes. */
const settled = async ({ bridge, session }: ReturnType<typeof world>) => {
  await session.token();
  await bridge.owner();
  await Promise.resolve();
};

test('each event is one call with the session token', async () => {
  const it = world();
  track(it, 'Assigned items queried', { surface: 'page' });
  await vi.waitFor(() => expect(it.heard()).toHaveLength(1));
  track(it, 'App Loaded');
  await vi.waitFor(() => expect(it.heard()).toHaveLength(2));
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
  // The first of them waits for the session, which says whether the site wants to be counted; it is asked for once.
  expect(it.bridge.calls.filter(({ path }) => path === SIGN_IN)).toHaveLength(1);
});

/** Spec §7: which operation counts as which event. The panel changes several items by one operation. */
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

test.each(Object.entries(specified))('the operation %s is told once, as %s', async (operation, event) => {
  const it = world();
  trackOperation(it, operation);
  await vi.waitFor(() => expect(it.heard()).toHaveLength(1));
  expect(it.heard()).toEqual([{ eventType: event, eventProperties: { operation } }]);
});

test('other operations are not told of, whatever they are called', async () => {
  const it = world();
  for (const operation of ['getFeatureFlags', 'getHistory', 'constructor', '__proto__']) trackOperation(it, operation);
  await settled(it);
  expect(it.heard()).toEqual([]);
});

test('the operations lead to events of the list', () => {
  for (const operation of Object.keys(specified)) {
    expect(isTracked(operation) && analyticsEvents.includes(eventOf(operation))).toBe(true);
  }
});

test('a site that does not want to be counted is not', async () => {
  const it = world({ analytics: false });
  track(it, 'App Loaded');
  await settled(it);
  trackOperation(it, 'getTemplates');
  await settled(it);
  expect(it.heard()).toEqual([]);
});

test('nothing is told while nobody knows whether the site wants it, and no session is asked for on that account', async () => {
  const bridge = fakeBridge({ server: () => status(500) });
  const session = createSession(bridge);
  track({ bridge, session }, 'App Loaded');
  await vi.waitFor(() => expect(session.get().status).toBe('fail'));
  track({ bridge, session }, 'App Loaded');
  await bridge.owner();
  expect(bridge.calls.map(({ path }) => path)).toEqual([SIGN_IN]);
});

test('what happened before a start that succeeds late is told once, then', async () => {
  const state: { broken: boolean } = { broken: true };
  const answer = () => (state.broken ? status(500) : { token: sessionToken('session', { analytics: true }) });
  const bridge = fakeBridge({ server: path => (path === '/api/analytics' ? status(204) : answer()) });
  const session = createSession(bridge);
  track({ bridge, session }, 'App Loaded', { surface: 'page' });
  await vi.waitFor(() => expect(session.get().status).toBe('fail'));
  await session.token().catch(() => undefined);
  expect(heardBy(bridge)).toEqual([]);
  state.broken = false;
  session.retry();
  await vi.waitFor(() => expect(heardBy(bridge)).toHaveLength(1));
  session.retry();
  await vi.waitFor(() => expect(session.get().retrying).toBe(false));
  expect(heardBy(bridge)).toEqual([{ eventType: 'App Loaded', eventProperties: { surface: 'page' } }]);
});

test('its failures are nobody’s concern', async () => {
  const failed = vi.fn(() => {
    throw new HostUnreachable();
  });
  const it = world({ hear: failed });
  track(it, 'App Loaded');
  await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce());
  await it.session.token();
});

test('a server that hangs is given up', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  try {
    const it = world();
    track(it, 'App Loaded');
    await vi.waitFor(() => expect(it.heard()).toHaveLength(1));
    expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000);
  } finally {
    timeout.mockRestore();
  }
});
