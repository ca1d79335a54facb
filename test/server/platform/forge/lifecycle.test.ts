import { expect, test } from 'vitest';
import { TrackerUnavailable } from '../../../../src/server/errors/tracker.ts';
import { withTimeout } from '../../../../src/server/platform/forge/lifecycle.ts';

test('what takes long is answered before the platform gives up; it goes on, and a later failure is not told', async () => {
  let fail = (_error: Error) => {};
  const work = new Promise<void>((_resolve, reject) => {
    fail = reject;
  });
  await expect(withTimeout(work, 1)).rejects.toThrow(TrackerUnavailable);
  fail(new Error('too late'));
});

test('what ends soon ends so', async () => {
  await expect(withTimeout(Promise.resolve())).resolves.toBeUndefined();
  await expect(withTimeout(Promise.reject(new Error('its own')))).rejects.toThrow('its own');
});
