import { expect, onTestFinished, test, vi } from 'vitest';
import { BadBuildSetting, buildSettings } from '../../src/domain/build/settings.ts';
import { editionOf } from '../../src/domain/edition.ts';

const usual = { version: '1.2.3', platform: 'cloud', limits: {} };

test('a build has the settings of the environment', () => {
  expect(buildSettings({}, '1.2.3')).toEqual({ ...usual, edition: 'pro', development: true });
  expect(buildSettings({ EDITION: '', DEVELOPMENT: '', FREE_ITEMS_PER_CHECKLIST: '' }, '1.2.3')).toEqual({
    ...usual,
    edition: 'pro',
    development: true,
  });
  expect(buildSettings({ EDITION: 'free', DEVELOPMENT: 'false' }, '1.2.3')).toEqual({
    ...usual,
    edition: 'free',
    development: false,
  });
});

test.each([
  ['true', true, 'hidden'],
  ['false', false, 'hidden'],
])('pages have source maps only in development: %s', async (development, atConnect, onForge) => {
  vi.stubEnv('DEVELOPMENT', development);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { default: config } = await import('../../vite.config.ts');
  const mapsOf = async (mode: string) => {
    if (typeof config !== 'function') throw new Error('The configuration is no function.');
    return (await config({ mode, command: 'build' })).build?.sourcemap;
  };
  expect(await mapsOf('client')).toBe(atConnect);
  expect(await mapsOf('client-free')).toBe(atConnect);
  // Moved beside the folder that Forge publishes.
  expect(await mapsOf('client-forge')).toBe(onForge);
});

test('one edition can be built beside another', () => {
  expect(buildSettings({ EDITION: 'pro' }, '1.2.3', 'free').edition).toBe('free');
});

test('limits of the Free edition are overridden one by one', () => {
  const env = { EDITION: 'free', FREE_GLOBAL_TEMPLATES: '7', FREE_ITEMS_PER_CHECKLIST: '0' };
  const settings = buildSettings(env, '1.2.3');
  expect(settings.limits).toEqual({ globalTemplates: 7, itemsPerChecklist: 0 });
  expect(editionOf(settings).limits).toEqual({ globalTemplates: 7, projectTemplates: 5, itemsPerChecklist: 0 });
  const { globalTemplates } = editionOf({ ...settings, edition: 'pro' }).limits;
  expect(globalTemplates).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  { EDITION: 'Free' },
  { DEVELOPMENT: 'no' },
  { FREE_GLOBAL_TEMPLATES: 'many' },
  { FREE_PROJECT_TEMPLATES: '-1' },
  { FREE_ITEMS_PER_CHECKLIST: '2.5' },
])('%j is refused', env => {
  expect(() => buildSettings(env, '1.2.3')).toThrow(BadBuildSetting);
});
