import { api } from '../../domain/messages.ts';
import { createCache } from '../common/cache.ts';
import { Refused } from '../errors/refused.ts';
import { TrackerUnavailable } from '../errors/tracker.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { appPermissions } from '../platform/tracker/permissions.ts';

/** The app's own permissions, for changes that no user makes. */
export interface AppPermission {
  /** Rejects with `Refused` unless the tracker permits the app to edit issues of the project. */
  requireEdit(tenant: Pick<Tenant, 'id' | 'epoch'>, tracker: Tracker, project: string): Promise<void>;
}

/** Milliseconds for which an answer is valid, and longest while the tracker is unavailable. */
const VALID = 5 * 60_000;
const LONGEST = 60 * 60_000;
const MOST = 10_000;

/**
 * Asks the tracker once for each project: permission schemes are a project's. What hides a single issue from the app
 * (`sync.missing`) is known from its reads.
 */
export function createAppPermission(now: () => number = Date.now): AppPermission {
  const known = createCache<{ asked: number; isGranted: boolean }>(MOST);
  const pending = new Map<string, Promise<boolean>>();

  async function ask(key: string, tracker: Tracker, project: string): Promise<boolean> {
    const asked = now();
    const granted = await appPermissions(tracker, project);
    const isGranted = granted.has('BROWSE_PROJECTS') && granted.has('EDIT_ISSUES');
    known.set(key, { asked, isGranted });
    return isGranted;
  }

  async function isGranted(key: string, tracker: Tracker, project: string): Promise<boolean> {
    const before = known.get(key);
    if (before && now() - before.asked < VALID) return before.isGranted;
    const running = pending.get(key) ?? ask(key, tracker, project).finally(() => pending.delete(key));
    pending.set(key, running);
    try {
      return await running;
    } catch (error) {
      if (!(error instanceof TrackerUnavailable)) known.delete(key);
      if (!(error instanceof TrackerUnavailable) || !before || now() - before.asked >= LONGEST) throw error;
      return before.isGranted;
    }
  }

  return {
    async requireEdit({ id, epoch }, tracker, project) {
      if (!(await isGranted(JSON.stringify([id, epoch, project]), tracker, project))) {
        throw new Refused('FORBIDDEN', api.appDenied);
      }
    },
  };
}
