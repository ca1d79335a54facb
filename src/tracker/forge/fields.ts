import { putField } from '../connect/fields.ts';
import type { Site } from '../site/site.ts';
import { broughtKey, type ForgePlatform } from './platform.ts';

/** Creates the fields of the manifest. One created under Connect keeps its id, type and values. */
export async function bringFields(site: Site, platform: ForgePlatform): Promise<void> {
  for (const module of platform.manifest.modules['jira:customField']) {
    const key = broughtKey(platform, module);
    if (site.customFields.list().some(({ value }) => value.key === key)) continue;
    const { expression } = module.view.formatter ?? {};
    const readOnly = { type: 'read_only', ...(expression !== undefined && { value: { expression } }) } as const;
    await putField(site, { key, name: module.name, ...(module.readOnly ? readOnly : { type: 'string' }) });
  }
}
