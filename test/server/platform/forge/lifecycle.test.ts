import { expect, test } from 'vitest';
import { TrackerUnavailable } from '../../../../src/server/errors/tracker.ts';
import { soon } from '../../../../src/server/platform/forge/lifecycle.ts';

test('what takes long is answered before the platform gives up; it goes on, and a later failure is not told', async () => {
  let fail = (_error: Error) => {};
  const work = new Promise<void>((_resolve, reject) => {
    fail = reject;
  });
  await expect(soon(work, 1)).rejects.toThrow(TrackerUnavailable);
  fail(new Error('too late'));
});

test('what ends soon ends so', async () => {
  await expect(soon(Promise.resolve())).resolves.toBeUndefined();
  await expect(soon(Promise.reject(new Error('its own')))).rejects.toThrow('its own');
});
