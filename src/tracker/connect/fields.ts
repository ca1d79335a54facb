import { connectKey } from '../apps.ts';
import type { CustomField } from '../site/model.ts';
import type { Site } from '../site/site.ts';
import type { Descriptor } from './descriptor.ts';

const FIELD_TYPES: Record<string, CustomField['type']> = {
  string: 'string',
  text: 'text',
  rich_text: 'rich_text',
  read_only: 'read_only',
};

/** Creates the fields of the descriptor. */
export async function registerFields(site: Site, descriptor: Descriptor): Promise<void> {
  for (const module of descriptor.modules.jiraIssueFields) {
    const type = FIELD_TYPES[module.type.toLowerCase()];
    const { property } = module;
    if (!type) continue;
    await putField(site, {
      ...{ key: connectKey(descriptor.key, module.key), name: module.name.value, type },
      ...(property && { value: { property: property.key, path: property.path, type: property.type } }),
    });
  }
}

/** A field keeps its id and values when the app is installed again. */
export async function putField(site: Site, field: Omit<CustomField, 'id'>): Promise<void> {
  const customFields = site.customFields.list();
  const id =
    customFields.find(({ value }) => value.key === field.key)?.id ?? `customfield_${10_100 + customFields.length}`;
  await site.customFields.put(id, { id, ...field });
}
