import { putField } from '../connect/fields.ts';
import type { Site } from '../site/site.ts';
import { broughtKey, type ForgePlatform } from './platform.ts';

/** Makes the fields that the manifest brings. One that came with Connect already keeps its id, its type and its values. */
export async function bringFields(site: Site, platform: ForgePlatform): Promise<void> {
  for (const module of platform.manifest.modules['jira:customField']) {
    const key = broughtKey(platform, module);
    if (site.customFields.list().some(({ value }) => value.key === key)) continue;
    await putField(site, { key, name: module.name, type: 'string' });
  }
}
