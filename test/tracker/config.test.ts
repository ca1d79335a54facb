import { expect, test } from 'vitest';
import { readConfig } from '../../src/tracker/config.ts';

test('a tracker has one site and no limit unless it is told otherwise', () => {
  expect(readConfig({})).toMatchObject({ port: 2990, secondPort: undefined, quota: undefined });
  expect(readConfig({ TRACKER_QUOTA: '', TRACKER_SECOND_PORT: '' })).toEqual(readConfig({}));
});

test('a second site and a limit come from the environment', () => {
  expect(readConfig({ TRACKER_SECOND_PORT: '2991', TRACKER_QUOTA: '500' })).toMatchObject({
    secondPort: 2991,
    quota: { points: 500, seconds: 3_600, beta: false },
  });
  const quota = { TRACKER_QUOTA: '500', TRACKER_QUOTA_SECONDS: '60', TRACKER_QUOTA_BETA: 'true' };
  expect(readConfig(quota).quota).toEqual({ points: 500, seconds: 60, beta: true });
});

test.each([
  { TRACKER_QUOTA: '0' },
  { TRACKER_QUOTA: 'all' },
  { TRACKER_QUOTA_SECONDS: '0' },
  { TRACKER_QUOTA_BETA: 'perhaps' },
  { TRACKER_SECOND_PORT: '70000' },
])('%j is refused by name', env => {
  expect(() => readConfig(env)).toThrow(Object.keys(env)[0]);
});
