import { expect, test } from 'vitest';
import { TrackerUnavailable } from '../../../../src/server/errors/tracker.ts';
import { waitAtMost } from '../../../../src/server/platform/forge/lifecycle.ts';

test("a long task is answered before the platform's timeout; a later failure is not reported", async () => {
  let fail = (_error: Error) => {};
  const work = new Promise<void>((_resolve, reject) => {
    fail = reject;
  });
  await expect(waitAtMost(work, 1)).rejects.toThrow(TrackerUnavailable);
  fail(new Error('too late'));
});

test('a short task is answered when it ends', async () => {
  await expect(waitAtMost(Promise.resolve())).resolves.toBeUndefined();
  await expect(waitAtMost(Promise.reject(new Error('its own')))).rejects.toThrow('its own');
});
