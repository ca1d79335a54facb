import { FIELD_NAME, storageKey } from '../../domain/storage.ts';
import { seedIssues } from '../site/issues.ts';
import type { Site } from '../site/site.ts';
import type { Descriptor } from './descriptor.ts';

/**
 * Puts the texts of the seed where people left them before the add-on came: in its text field, or bare in its
 * property. What has been written there since stays.
 */
export async function leaveSamples(site: Site, descriptor: Descriptor): Promise<void> {
  const field = site.customFields
    .list()
    .find(({ value }) => value.name === FIELD_NAME && value.key.startsWith(`${descriptor.key}__`));
  for (const seed of seedIssues) {
    const issue = site.issues.list().find(({ value }) => value.summary === seed.summary)?.value;
    if (!issue) continue;
    if (seed.field !== undefined && field && issue.custom[field.id] === undefined) {
      await site.issues.put(issue.id, { ...issue, custom: { ...issue.custom, [field.id]: seed.field } });
    }
    const property = `issue/${issue.id}/${storageKey('checklist', descriptor.key)}`;
    if (seed.property !== undefined && site.properties.get(property) === undefined) {
      await site.properties.put(property, seed.property);
    }
  }
}
