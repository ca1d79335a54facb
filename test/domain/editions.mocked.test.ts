import { expect, test, vi } from 'vitest';
import type { BuildSettings } from '../../src/domain/build/build.ts';

/** The exports of a build about its own and the other edition. */
async function built(settings: Partial<BuildSettings>) {
  vi.resetModules();
  vi.doMock('../../src/domain/build/build.ts', () => ({
    build: { edition: 'pro', version: '1.0.0', platform: 'cloud', development: false, limits: {}, ...settings },
  }));
  const [{ edition }, all, { upgrade }] = await Promise.all([
    import('../../src/domain/edition.ts'),
    import('../../src/domain/editions.ts'),
    import('../../src/domain/links.ts'),
  ]);
  vi.doUnmock('../../src/domain/build/build.ts');
  return { edition, upgrade, ...all };
}

test('each edition has a key, a name, a label and a logo of its own, of each kind of build', async () => {
  const editions = [];
  for (const edition of ['free', 'pro'] as const) {
    for (const development of [true, false]) editions.push((await built({ edition, development })).edition);
  }
  expect(new Set(editions.map(({ key }) => key)).size).toBe(4);
  for (const trait of ['name', 'label', 'logo'] as const) {
    expect(new Set(editions.map(edition => edition[trait])).size).toBe(2);
  }
});

test('the differences between the editions are the enforced limits', async () => {
  const { differences } = await built({ edition: 'free', limits: { itemsPerChecklist: 3 } });
  expect(differences).toEqual([
    { what: 'Items in a checklist', free: '3', pro: 'No limit' },
    { what: 'Templates of a project', free: '5', pro: 'No limit' },
    { what: 'Site templates', free: '5', pro: 'No limit' },
  ]);
});

test('Pro has Free of the same kind of build as predecessor, Free has none', async () => {
  expect((await built({ edition: 'pro', development: true })).predecessor?.key).toBe(
    'app.smart-checklist.free_development',
  );
  expect((await built({ edition: 'pro', development: false })).predecessor?.key).toBe('app.smart-checklist.free');
  expect((await built({ edition: 'free' })).predecessor).toBeUndefined();
});

test('links lead to marketplace pages, which development builds lack', async () => {
  const free = await built({ edition: 'free', development: true });
  expect(free.upgrade).toBe('https://marketplace.atlassian.com/apps/app.smart-checklist.pro/overview');
  expect(free.reviews.map(({ href }) => href)).toEqual([
    'https://marketplace.atlassian.com/apps/app.smart-checklist.free/reviews',
    'https://marketplace.atlassian.com/apps/app.smart-checklist.pro/reviews',
  ]);
  expect((await built({ edition: 'pro' })).reviews.map(({ href }) => href)).toEqual([
    'https://marketplace.atlassian.com/apps/app.smart-checklist.pro/reviews',
  ]);
});
