import { createCache } from '../common/cache.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { MailSuppression } from '../platform/tracker/issue.ts';

/** Milliseconds until suppression is tried again in a project that denied it: its permissions may have changed. */
const RETRY_AFTER = 24 * 60 * 60_000;
const MAX_PROJECTS = 10_000;

/** Remembers the projects in which the app may not suppress mail, so that each write there is one call. */
export function createMailSuppression(): (
  tenant: Pick<Tenant, 'id' | 'epoch'>,
  project: string | undefined,
) => MailSuppression {
  const denied = createCache<true>(MAX_PROJECTS, RETRY_AFTER);
  return ({ id, epoch }, project) => {
    const key = project === undefined ? undefined : JSON.stringify([id, epoch, project]);
    return {
      isDenied: () => key !== undefined && denied.has(key),
      deny: () => void (key !== undefined && denied.set(key, true)),
    };
  };
}
