import { expect, test, vi } from 'vitest';
import { createKnownTenants } from '../../../src/server/platform/known-tenants.ts';
import type { Tenant, Tenants } from '../../../src/server/platform/tenants.ts';
import type { Tx } from '../../../src/server/store/tables.ts';

const site: Tenant = {
  ...{ id: 'site', url: 'https://site.example.net', secret: 'secret', epoch: 'one', statusVersion: 1, mirror: 'own' },
  ...{ forge: undefined, licensed: true, portal: { fallback: 'ALL', projects: new Map() } },
  settings: {
    ...{ getting_started_template_id: null, manage_permissions_enabled: false },
    ...{ view_permissions_enabled: false, analytics_enabled: true },
  },
};

/** A table of tenants that counts its reads. */
function stored() {
  const held = new Map([[site.id, site]]);
  let reads = 0;
  const tenants: Tenants = {
    async find(id) {
      reads += 1;
      return held.get(id);
    },
    change: async (_id, work) => work({} as Tx),
    async install({ id }) {
      held.set(id, { ...site, id });
    },
    async uninstall(id) {
      held.delete(id);
    },
  };
  return { tenants, held, reads: () => reads };
}

test('a tenant is read once for many requests, and again after five seconds', async () => {
  let time = 1_000;
  const { tenants, held, reads } = stored();
  const known = createKnownTenants(tenants, () => time);
  await Promise.all([known.find('site'), known.find('site')]);
  time = 6_000;
  expect(await known.find('site')).toEqual(site);
  expect(reads()).toBe(1);
  held.set('site', { ...site, statusVersion: 2 });
  time = 6_001;
  expect(await known.find('site')).toMatchObject({ statusVersion: 2 });
});

test('changes of this process are visible at once, also to concurrent requests', async () => {
  const { tenants, held } = stored();
  const known = createKnownTenants(tenants, () => 0);
  await known.find('site');
  await known.change('site', async () => {
    expect(await known.find('site')).toEqual(site);
    held.set('site', { ...site, statusVersion: 2 });
  });
  expect(await known.find('site')).toMatchObject({ statusVersion: 2 });
  await known.uninstall('site');
  expect(await known.find('site')).toBeUndefined();
  await known.install({ id: 'site', url: site.url, secret: 'secret' });
  expect(await known.find('site')).toEqual(site);
});

test.each([
  { kind: 'settings', tenant: 'site' },
  { kind: 'statuses', tenant: 'site' },
  { kind: 'uninstalled', tenant: 'site' },
  { kind: 'gap' },
] as const)('a change of another process is read after its event: $kind', async event => {
  const { tenants, held, reads } = stored();
  const known = createKnownTenants(tenants, () => 0);
  await known.find('site');
  known.invalidate({ kind: 'checklist', issue: '1', tenant: 'site' });
  known.invalidate({ kind: 'settings', tenant: 'another' });
  await known.find('site');
  expect(reads()).toBe(1);
  held.delete('site');
  known.invalidate(event);
  expect(await known.find('site')).toBeUndefined();
});

test('an event during the read of a tenant causes another read', async () => {
  const { tenants, held } = stored();
  const known = createKnownTenants(tenants, () => 0);
  const before = known.find('site');
  held.set('site', { ...site, statusVersion: 2 });
  known.invalidate({ kind: 'statuses', tenant: 'site' });
  await before;
  expect(await known.find('site')).toMatchObject({ statusVersion: 2 });
});

test('a missing tenant or a failure is not cached', async () => {
  const { tenants, held } = stored();
  const find = vi.fn(tenants.find).mockRejectedValueOnce(new Error('away'));
  const known = createKnownTenants({ ...tenants, find }, () => 0);
  await expect(known.find('site')).rejects.toThrow('away');
  held.delete('site');
  expect(await known.find('site')).toBeUndefined();
  held.set('site', site);
  expect(await known.find('site')).toEqual(site);
});
