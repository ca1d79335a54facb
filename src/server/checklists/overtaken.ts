import { hashText } from '../../text/document.ts';
import { merge } from '../../text/merge.ts';
import { textAt, type Version } from './revisions.ts';
import type { Site } from './site.ts';
import type { ChecklistView } from './types.ts';

/**
 * What was read of an issue, unless it is older than what we wrote last. A write of ours that we gave up, or repeated,
 * may reach the tracker after a later one; then the later one counts. What somebody else made of the older text is
 * merged from there.
 */
export async function notOvertaken(
  { store, tenant }: Site,
  stored: ChecklistView,
  last: Version | undefined,
): Promise<ChecklistView> {
  if (!last || stored.source !== 'PROPERTY' || stored.epoch !== last.epoch || stored.seq >= last.seq) return stored;
  const place = { tenant: tenant.id, issue: stored.issueId };
  const origin = await store.tenant(tenant.id, tx => textAt(tx, place, stored));
  const text = origin === undefined ? last.text : merge(origin, last.text, stored.text).text;
  return { ...stored, ...last, text, hash: await hashText(text) };
}
