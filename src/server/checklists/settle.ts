import { parseChecklistProperty } from '../../domain/storage.ts';
import { hashText } from '../../text/document.ts';
import { readIssue, type TrackerIssue, TrackerRefused } from '../tracker/issue.ts';
import { mirrorField } from './field.ts';
import type { Lease } from './lease.ts';
import { addNotices, dropIntent, findIntent, giveUpIntent, type Intent, settleIntent } from './revisions.ts';
import type { Site } from './site.ts';

async function wasWritten(issue: TrackerIssue, intent: Intent): Promise<boolean> {
  const property = parseChecklistProperty(issue.property);
  if (property.kind !== 'ours' || property.epoch !== intent.epoch || property.seq !== intent.seq) return false;
  return (await hashText(property.text)) === intent.hash;
}

/** The issue, `undefined` when it is gone. */
const readOrGone = (site: Site, issueId: string): Promise<TrackerIssue | undefined> =>
  readIssue(site.tracker, issueId).catch((error: unknown) => {
    if (error instanceof TrackerRefused && error.status === 404) return undefined;
    throw error;
  });

/**
 * Finds out what became of a change that was cut off between our intent and our revision, by what the tracker holds
 * now. One that was not written is given up: nobody was told that it was saved, so its client sends it again.
 */
export async function settle(site: Site, issueId: string, lease: Lease): Promise<void> {
  const { store, tenant, tracker } = site;
  const place = { tenant: tenant.id, issue: issueId };
  const intent = await store.tenant(tenant.id, tx => findIntent(tx, place));
  if (!intent) return;
  const [issue, ownField] = await Promise.all([readOrGone(site, issueId), site.ownField()]);
  const written = issue !== undefined && (await wasWritten(issue, intent));
  await store.tenant(tenant.id, async tx => {
    await lease.hold(tx);
    if (written) await settleIntent(tx, place, intent);
    else if (issue) await giveUpIntent(tx, place);
    else await dropIntent(tx, place);
  });
  if (!written) return;
  const notices = await mirrorField(tracker, issueId, issue, ownField, intent.text);
  if (notices.length) await store.tenant(tenant.id, tx => addNotices(tx, place, intent, notices));
}

/** Settles everything that a site left open. */
export async function settleAll(site: Site): Promise<void> {
  const { store, tenant, leases } = site;
  const open = await store.tenant(tenant.id, tx =>
    tx.selectFrom('intent').select('issue').where('tenant', '=', tenant.id).where('given_up', '=', false).execute(),
  );
  for (const { issue } of open) await leases.run(tenant.id, issue, lease => settle(site, issue, lease));
}
