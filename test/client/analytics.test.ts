import { expect, test, vi } from 'vitest';
import { HostUnreachable } from '../../src/bridge/bridge.ts';
import { track } from '../../src/client/analytics.ts';
import { fakeBridge, status } from './fake-bridge.ts';

test('each event is one call with the host token', async () => {
  const bridge = fakeBridge({ server: () => status(204) });
  track(bridge, 'Checklist mutated', { operation: 'setItemStatus' });
  track(bridge, 'App Loaded');
  await vi.waitFor(() => expect(bridge.calls).toHaveLength(2));
  expect(bridge.calls[0]).toEqual({
    to: 'server',
    path: '/api/analytics',
    init: {
      method: 'POST',
      headers: { 'app-key': 'app.smart-checklist.pro_development', authorization: 'JWT host-token' },
      json: { eventType: 'Checklist mutated', eventProperties: { operation: 'setItemStatus' } },
    },
  });
});

test('its failures are nobody’s concern', async () => {
  const failed = vi.fn(async () => {
    throw new HostUnreachable();
  });
  const bridge = fakeBridge({ server: failed });
  track(bridge, 'App Loaded');
  await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce());
  const silent = fakeBridge({ token: () => Promise.reject(new HostUnreachable()) });
  track(silent, 'App Loaded');
  await Promise.resolve();
  expect(silent.calls).toEqual([]);
});
