import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HostUnreachable } from '../../src/bridge/bridge.ts';
import { MutationRefused, ServerError } from '../../src/client/errors.ts';
import { repeated } from '../../src/client/repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Fails with these errors, one after the other, and then answers. */
function failing(...errors: Error[]) {
  let sent = 0;
  const send = async () => {
    const error = errors[sent++];
    if (error) throw error;
    return 'answer';
  };
  return { send, sent: () => sent };
}

const lost = [
  new HostUnreachable('Nobody.'),
  ...[502, 503, 504].map(code => new ServerError(code, 'Away.')),
  new MutationRefused('TRACKER_UNAVAILABLE', undefined, 'Not saved.'),
];

test.each(lost)('what is lost is sent again: %s', async error => {
  const { send, sent } = failing(error, error);
  const answer = repeated(send);
  await vi.runAllTimersAsync();
  expect(await answer).toBe('answer');
  expect(sent()).toBe(3);
});

test('after the third time it has failed', async () => {
  const { send, sent } = failing(...lost);
  const failure = expect(repeated(send)).rejects.toBe(lost[2]);
  await vi.runAllTimersAsync();
  await failure;
  expect(sent()).toBe(3);
});

test.each([
  new MutationRefused('FORBIDDEN', undefined, 'No.'),
  new ServerError(500, 'Broken.'),
  new ServerError(401, 'Unauthorized.'),
])('what was answered is not sent again: %s', async error => {
  const { send, sent } = failing(error);
  await expect(repeated(send)).rejects.toBe(error);
  expect(sent()).toBe(1);
});
