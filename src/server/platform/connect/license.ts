import { build } from '../../../domain/build/build.ts';
import { publish } from '../../store/live-events.ts';
import type { Tenant, Tenants } from '../tenants.ts';

/**
 * Stores the license state from the URL of a page (Connect, "Context parameters", `lic`). Ignored outside of
 * production, and for a site on Forge, whose invocations have it.
 */
export async function noteLicense(
  tenants: Pick<Tenants, 'change'>,
  { id, forge, licensed: before }: Tenant,
  lic: string | undefined,
  production = !build.development,
): Promise<void> {
  if (!production || forge || (lic !== 'active' && lic !== 'none')) return;
  const licensed = lic === 'active';
  if (licensed === before) return;
  await tenants.change(id, async tx => {
    await tx.updateTable('tenant').set({ licensed }).where('tenant', '=', id).execute();
    await publish(tx, id, { kind: 'settings' });
  });
}
