import { FIELD_NAME, storageKey } from '../../domain/storage.ts';
import { seedIssues } from '../site/issues.ts';
import type { Site } from '../site/site.ts';
import type { Descriptor } from './descriptor.ts';

/**
 * Writes the seed's texts as if users had entered them before the installation: into the text field, or as a plain
 * property. Existing values stay.
 */
export async function writeSamples(site: Site, descriptor: Descriptor): Promise<void> {
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
