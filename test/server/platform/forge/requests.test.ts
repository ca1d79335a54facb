import { expect, test } from 'vitest';
import { createRequests } from '../../../../src/server/platform/forge/requests.ts';
import type { Tenant } from '../../../../src/server/platform/tenants.ts';

const site: Tenant = {
  ...{ id: 'site', url: 'https://site.example.net', secret: undefined, epoch: 'one', statusVersion: 1, mirror: 'own' },
  ...{ forge: undefined, licensed: true, portal: { fallback: 'ALL', projects: new Map() } },
  settings: {
    ...{ getting_started_template_id: null, manage_permissions_enabled: false },
    ...{ view_permissions_enabled: false, analytics_enabled: true },
  },
};

test('an issue is asked for once by its key, and one that there is not once a minute', async () => {
  const asked: string[] = [];
  const find = createRequests(() => async ({ path }) => {
    asked.push(path);
    return path.endsWith('/PR-1')
      ? { status: 200, body: { id: '10001', key: 'PR-1' } }
      : { status: path.endsWith('/PR-2') ? 404 : 500, body: {} };
  });
  for (let count = 0; count < 3; count += 1) {
    expect(await find(site, 'ana', 'PR-1')).toEqual({ id: '10001', key: 'PR-1' });
    await expect(find(site, 'ana', 'PR-2')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  expect(asked).toHaveLength(2);
  // Another installation may see it; and an error is no answer.
  await expect(find({ ...site, epoch: 'two' }, 'ana', 'PR-2')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  for (let count = 0; count < 2; count += 1) await expect(find(site, 'ana', 'PR-3')).rejects.toThrow();
  expect(asked).toHaveLength(5);
});
