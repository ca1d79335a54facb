import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { readAs } from '../../domain/shape.ts';
import { builtInStatuses, normalName } from '../../domain/statuses.ts';
import { parseChecklistProperty, storageKey } from '../../domain/storage.ts';
import { plainWords } from '../../text/plain-text.ts';
import { readChecklist } from '../../text/read.ts';
import { call } from './call.ts';

/** Names that checklists use. */
export interface ChecklistNames {
  /** Of sections, the most frequent first. */
  sections: string[];
  /** Of item statuses. */
  statuses: string[];
}

const MAX_CHECKLISTS = 50;

const searchShape = v.object({
  issues: v.array(v.object({ properties: v.optional(v.record(v.string(), v.unknown()), {}) })),
});
const propertyShape = v.object({
  search: v.optional(v.object({ statuses: v.array(v.string()) })),
  rules: v.optional(v.object({ statuses: v.record(v.string(), v.unknown()) })),
});

/** Each name once, as first written, the most frequent first. */
function byFrequency(names: readonly string[]): string[] {
  const counted = new Map<string, { name: string; count: number }>();
  for (const name of names) {
    const key = normalName(name);
    if (key === '') continue;
    const entry = counted.get(key) ?? { name, count: 0 };
    entry.count += 1;
    counted.set(key, entry);
  }
  return [...counted.values()].sort((a, b) => b.count - a.count).map(({ name }) => name);
}

/** The names in the newest checklists that the user can see, of one project if a project is given. */
export async function readChecklistNames(
  bridge: HostBridge,
  projectId?: string,
  signal?: AbortSignal,
): Promise<ChecklistNames> {
  const property = storageKey('checklist');
  const within = projectId === undefined ? '' : `project = ${projectId} AND `;
  const query = {
    jql: `${within}checklistItems > 0 ORDER BY created DESC`,
    fields: 'id',
    properties: property,
    maxResults: String(MAX_CHECKLISTS),
  };
  const answer = await call(bridge, '/rest/api/3/search/jql', { query, ...(signal && { signal }) });
  const sections: string[] = [];
  const used: string[] = [];
  const statusNames: string[] = [];
  for (const { properties } of readAs(searchShape, answer)?.issues ?? []) {
    const stored = parseChecklistProperty(properties[property]);
    if (!('text' in stored)) continue;
    const checklist = readChecklist(stored.text);
    // As rules know them, without markup.
    for (const [index, { kind }] of checklist.rows.entries())
      if (kind === 'header') sections.push(plainWords(checklist, index));
    const { search, rules } = readAs(propertyShape, properties[property]) ?? {};
    used.push(...(search?.statuses ?? []));
    statusNames.push(...Object.keys(rules?.statuses ?? {}).map(key => key.slice(1)));
  }
  const builtIn = builtInStatuses.map(({ name }) => name);
  return { sections: byFrequency(sections), statuses: byFrequency([...builtIn, ...used, ...statusNames]) };
}
