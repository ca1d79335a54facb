import type { Forge } from '../context.ts';
import { keyOf } from './platform.ts';

/**
 * The address of the Forge app's page for a general page of its Connect add-on: that of the module with the same key
 * (CHANGE-3084). `undefined` if there is none.
 */
export function redirectOf({ platform, app }: Forge, addonKey: string, moduleKey: string, url: string) {
  if (!app.installed() || keyOf(platform) !== addonKey) return undefined;
  const globalPage = platform.manifest.modules['jira:globalPage'].find(({ key }) => key === moduleKey);
  if (!globalPage) return undefined;
  const address = new URLSearchParams({ x_atlassian_cf: Buffer.from(url).toString('base64') });
  return `/plugins/${encodeURIComponent(globalPage.key)}?${address}`;
}
