import { expect, test } from 'vitest';
import { pinPanel } from '../../src/client/admin/pin.ts';
import { fakeBridge, status } from './fake-bridge.ts';

const pin = (code: number) => {
  const bridge = { ...fakeBridge({ tracker: () => status(code) }), extension: () => Promise.resolve('ari:app/') };
  return pinPanel(bridge, '10', true, true);
};

test.each([
  [202, true],
  [403, false],
])('the tracker’s %i says whether the panel is pinned', async (code, isPinned) => {
  expect(await pin(code)).toBe(isPinned);
});

test.each([429, 500, 503])('a failure with %i says nothing about the permission', async code => {
  await expect(pin(code)).rejects.toMatchObject({ name: 'TrackerError', status: code });
});
