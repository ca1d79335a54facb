import * as v from 'valibot';
import { edition } from './edition.ts';

/**
 * The issue property that Connect's issue view reads for what stands beside the name of a context panel ("Issue Context",
 * developer.atlassian.com). Jira's own key, so not one of the app's.
 */
export const badgeKey = (moduleKey: string, addonKey = edition.key): string =>
  `com.atlassian.jira.issue:${addonKey}:${moduleKey}:status`;

export const badgeShape = v.object({
  type: v.picklist(['badge', 'lozenge', 'icon']),
  value: v.object({ label: v.string(), type: v.exactOptional(v.string()) }),
});
export type Badge = v.InferOutput<typeof badgeShape>;

/** `3/7` as a lozenge, green when all items are done; `undefined` without items. */
export function badgeOf({ checked, total }: { checked: number; total: number }): Badge | undefined {
  if (total === 0) return undefined;
  const type = checked === total ? 'success' : checked > 0 ? 'inprogress' : 'default';
  return { type: 'lozenge', value: { label: `${checked}/${total}`, type } };
}
