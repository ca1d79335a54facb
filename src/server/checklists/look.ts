import { TrackerRefused } from '../tracker/issue.ts';
import { takeSightings } from './actor.ts';
import { workOff } from './change.ts';
import { forget } from './forget.ts';
import { type Known, loadingKnown } from './known.ts';
import { isOurs, type Place } from './revisions.ts';
import type { Site } from './site.ts';

const gone = (error: unknown): boolean => error instanceof TrackerRefused && error.status === 404;

/**
 * Takes in what others wrote into an issue's storages, settles what was left open, and puts right what was overtaken.
 * An issue that we never wrote is left alone.
 */
export function lookAtIssue(site: Site, issue: string): Promise<void> {
  const { leases, store, tenant } = site;
  const place: Place = { tenant: tenant.id, issue };
  return leases.run(
    tenant.id,
    issue,
    async (lease, before: Known) => {
      if (!before.last && !before.intent) return;
      try {
        await workOff(site, place, lease, { before, works: [] });
        await store.tenant(tenant.id, tx => takeSightings(tx, place));
      } catch (error) {
        if (!gone(error)) throw error;
        await store.tenant(tenant.id, async tx => {
          await lease.hold(tx);
          await forget(tx, place);
        });
      }
    },
    () => loadingKnown(place, tenant.epoch),
  );
}

/**
 * Takes in what stands in an issue as it stands there, also where we never wrote it; resolves with whether it is ours
 * then: what the property has no room for is left alone.
 */
export function adoptIssue(site: Site, issue: string): Promise<boolean> {
  const { leases, store, tenant } = site;
  const place: Place = { tenant: tenant.id, issue };
  return leases.run(
    tenant.id,
    issue,
    async (lease, before: Known) => {
      await workOff(site, place, lease, { before, works: [] });
      return store.tenant(tenant.id, tx => isOurs(tx, place));
    },
    () => loadingKnown(place, tenant.epoch),
  );
}
