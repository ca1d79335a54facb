import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/tracker/config.ts';

test('a tracker has one site and no limit by default', () => {
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

test('there is a Forge app where it has an id and its pages are built', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'forge-'));
  const uuid = '11111111-2222-4333-8444-555555555555';
  const env = { FORGE_APP_ID: `ari:cloud:ecosystem::app/${uuid}`, FORGE_DIST: dist, ADDON_URL: 'http://127.0.0.1:9' };
  expect(readConfig(env).forge).toBeUndefined();
  await writeFile(join(dist, 'index.html'), '');
  expect(readConfig({ ...env, FORGE_APP_ID: '' }).forge).toBeUndefined();
  expect(readConfig(env).forge).toMatchObject({
    ...{ appId: uuid, environment: 'PRODUCTION', dist },
    variables: { APP_ID: uuid, REMOTE_URL: 'http://127.0.0.1:9' },
  });
  expect(() => readConfig({ FORGE_APP_ID: 'mine' })).toThrow('FORGE_APP_ID');
  await rm(dist, { recursive: true });
});
