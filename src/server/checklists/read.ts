import { hashText } from '../hash.ts';
import { readIssue } from '../tracker/issue.ts';
import { loadKnown } from './known.ts';
import { queueLook } from './mirror.ts';
import { reconcile } from './reconcile.ts';
import { wasWritten } from './settle.ts';
import { fieldIfKnown, type Site } from './site.ts';
import type { ChecklistReading } from './types.ts';

/**
 * The checklist as it is now, with what others wrote; a look that takes that in follows. It waits for nobody and
 * changes nothing.
 */
export async function readStored(site: Site, issueId: string): Promise<ChecklistReading> {
  const { store, tenant, tracker } = site;
  const place = { tenant: tenant.id, issue: issueId };
  const [issue, fieldId] = await Promise.all([readIssue(tracker, issueId), fieldIfKnown(site)]);
  // After the issue, so that nothing of ours in it is unknown.
  const { last: settled, intent, mirror } = await loadKnown(store, place, tenant.epoch);
  const arrived = intent && wasWritten(issue, intent, settled?.text ?? '') ? intent.revisions.at(-1) : undefined;
  const last = arrived ?? settled;
  const statuses = await site.statuses(issue.project);
  const found = await reconcile(
    site,
    place,
    { issue, statuses, fieldId },
    { last, mirror, intent: arrived ? null : intent },
  );
  const { current, source, repair, foreign, differs } = found;
  if (last && (repair || foreign.length > 0 || (differs && !mirror?.behind))) queueLook(site, issueId);
  const { epoch, seq } = found.place;
  const { name, text } = current;
  const notice = mirror?.notice;
  return { issueId, epoch, seq, hash: hashText(text), name, text, source, notices: notice ? [notice] : [] };
}
