import type { Site } from '../site/site.ts';
import type { Descriptor } from './descriptor.ts';

const TYPES: Record<string, 'string' | 'text' | 'rich_text'> = {
  string: 'string',
  text: 'text',
  rich_text: 'rich_text',
};

/** Makes the fields that the descriptor brings. A field keeps its id and values when the add-on comes again. */
export async function registerFields(site: Site, descriptor: Descriptor): Promise<void> {
  for (const module of descriptor.modules.jiraIssueFields) {
    const type = TYPES[module.type.toLowerCase()];
    if (!type) continue;
    const key = `${descriptor.key}__${module.key}`;
    const all = site.customFields.list();
    const id = all.find(({ value }) => value.key === key)?.id ?? `customfield_${10_100 + all.length}`;
    await site.customFields.put(id, { id, key, name: module.name.value, type });
  }
}
