import * as v from 'valibot';
import { parseAs } from '../../../../domain/shape.ts';
import { forgeModules } from '../../../wire/modules.ts';
import { go } from '../../app/address.ts';
import { getJson } from '../../data/fetch.ts';
import { adminPlaces } from '../../data/queries.ts';
import { addressOf } from '../destination.ts';
import { closeDialogs } from '../dialogs.ts';

const targetShape = v.object({
  target: v.string(),
  moduleKey: v.optional(v.string()),
  projectKey: v.optional(v.string()),
  issueKey: v.optional(v.string()),
  accountId: v.optional(v.string()),
});
const navigationShape = v.intersect([
  v.union([v.object({ url: v.string() }), targetShape]),
  v.object({ type: v.picklist(['same-tab', 'new-tab']) }),
]);

/** `router.navigate` and `router.open`. */
export async function navigate(payload: unknown): Promise<void> {
  const navigation = parseAs(navigationShape, payload);
  const url = 'url' in navigation ? new URL(navigation.url, location.origin) : await urlOf(navigation);
  if (navigation.type === 'new-tab') {
    window.open(url, '_blank', 'noopener');
    return;
  }
  // Navigation closes the page's dialogs.
  closeDialogs();
  if (url.origin === location.origin) go(url.pathname + url.search + url.hash);
  else location.assign(url);
}

/** Handles `router.getUrl`. Throws if this site has no such page. */
export async function urlOf(payload: unknown): Promise<URL> {
  const { target, moduleKey, projectKey, issueKey, accountId } = parseAs(targetShape, payload);
  const addresses: Record<string, () => string | undefined | Promise<string>> = {
    dashboard: () => addressOf('dashboard', {}),
    issue: () => addressOf('issue', { issueKey }),
    userProfile: () => addressOf('userProfile', { userAccountId: accountId }),
    projectSettingsDetails: () => addressOf('projectAdminSummary', { projectKey }),
    module: () => (moduleKey === undefined ? undefined : moduleAddress(moduleKey, projectKey)),
  };
  const address = await addresses[target]?.();
  if (address === undefined) throw new Error(`There is no page for ${JSON.stringify(payload)}.`);
  return new URL(address, location.origin);
}

async function moduleAddress(moduleKey: string, projectKey: string | undefined): Promise<string> {
  const key = encodeURIComponent(moduleKey);
  if (projectKey !== undefined) return `/projects/${encodeURIComponent(projectKey)}/settings/${key}`;
  const modulesByPlace = await Promise.all(
    adminPlaces.map(place => getJson(`/host/modules?framework=forge&place=${place}&key=${key}`, forgeModules)),
  );
  return modulesByPlace.some(modules => modules.length > 0) ? `/admin/${key}` : `/plugins/${key}`;
}
