import { api } from '../../domain/messages.ts';
import { Refused } from '../errors/refused.ts';
import { TrackerUnavailable } from '../errors/tracker.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { appPermissions } from '../platform/tracker/permissions.ts';
import { cached } from '../store/cached.ts';

/** The app's own permissions, for changes that no user makes. */
export interface AppPermission {
  /** Rejects with `Refused` unless the tracker permits the app to edit issues of the project. */
  requireEdit(tenant: Pick<Tenant, 'id' | 'epoch'>, tracker: Tracker, project: string): Promise<void>;
}

/** While the tracker is unavailable, the last answer stays valid until `MAX_ANSWER_VALID_MS`. */
const ANSWER_VALID_MS = 5 * 60_000;
const MAX_ANSWER_VALID_MS = 60 * 60_000;
const MAX_PROJECTS = 10_000;

/**
 * Asks the tracker once for each project: permission schemes are a project's. What hides a single issue from the app
 * (`sync.missing`) is known from its reads.
 */
export function createAppPermission(now: () => number = Date.now): AppPermission {
  const cachedAnswers = cached<{ asked: number; isGranted: boolean }>({
    max: MAX_PROJECTS,
    // While the tracker does not answer, it is asked again each time.
    ttl: ({ asked }) => asked + ANSWER_VALID_MS - now(),
    now,
  });

  async function isGranted(key: string, tracker: Tracker, project: string): Promise<boolean> {
    const answer = await cachedAnswers.get(key, async last => {
      const askedAtMs = now();
      try {
        const granted = await appPermissions(tracker, project);
        return { asked: askedAtMs, isGranted: granted.has('BROWSE_PROJECTS') && granted.has('EDIT_ISSUES') };
      } catch (error) {
        if (error instanceof TrackerUnavailable && last && askedAtMs - last.asked < MAX_ANSWER_VALID_MS) return last;
        throw error;
      }
    });
    return answer.isGranted;
  }

  return {
    async requireEdit({ id, epoch }, tracker, project) {
      if (!(await isGranted(JSON.stringify([id, epoch, project]), tracker, project))) {
        throw new Refused('FORBIDDEN', api.appDenied);
      }
    },
  };
}
