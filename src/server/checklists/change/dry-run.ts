import { api } from '../../../domain/messages.ts';
import { locate } from '../../../text/rows.ts';
import type { Turns } from '../../common/mutex.ts';
import { readText } from '../../common/reading.ts';
import { inSlices } from '../../common/slices.ts';
import { adopt } from '../adopt.ts';
import type { Site } from '../site.ts';
import type { ChangeOutcome, PreparedChange } from '../types.ts';
import { type MadeRequest, prepareChange, refuseOversized } from './apply.ts';
import { isLarge } from './batches.ts';
import { type Conversion, summaryOf } from './convert.ts';
import { currentOf, mergeChanges, requestedOf } from './merge-changes.ts';
import { loadState, readState } from './state.ts';

/** A conversion that leaves the text as it is, since its issue has no key yet, and calls `found` with the issue's summary. */
function conversionOf(
  { issueId, clientId, base }: MadeRequest,
  edit: Conversion,
  found: (summary: string) => void,
): PreparedChange {
  return {
    ...{ issueId, clientId, base, kind: edit.kind, name: undefined },
    apply(text, statuses) {
      const checklist = readText(text, statuses);
      found(summaryOf(checklist, locate(checklist, edit.target)));
      return text;
    },
  };
}

/**
 * What a change would give now, without its effects: nothing is stored, and no issue is created. Epoch, number and hash of
 * the outcome are those of the current revision. Rejects as the change would. No transaction holds others back meanwhile,
 * so one of a large checklist waits for its turn, however small it is.
 */
export async function dryRun(site: Site, account: string, request: MadeRequest, inTurn: Turns): Promise<ChangeOutcome> {
  refuseOversized(request);
  const { store, tenant, itemLimit: limit } = site;
  const { edit, issueId } = request;
  const notices: string[] = [];
  const change =
    edit.kind === 'convertItemToIssue'
      ? conversionOf(request, edit, summary => notices.push(api.wouldConvert(summary)))
      : await prepareChange(site, { ...request, edit });
  const place = { tenant: tenant.id, issue: issueId };
  const proposals = [{ account, change, limit }];
  const load = async () => {
    const [loaded] = await store.batch(tenant.id, [loadState(place, tenant.epoch, requestedOf(proposals))]);
    return readState(loaded.rows[0]);
  };
  let state = await load();
  if (!state.checklist) {
    await adopt(site, place);
    state = await load();
  }
  const statuses = await site.statuses(state.checklist?.project ?? undefined);
  const merge = () => inSlices(mergeChanges({ issue: issueId, epoch: tenant.epoch, statuses }, state, proposals));
  const size = (change.size ?? 0) + currentOf(state).text.length;
  const { outcomes } = await (isLarge([{ account, change: { size } }]) ? inTurn({ tenant, account }, merge) : merge());
  const [outcome] = outcomes;
  if (!outcome || 'error' in outcome) throw outcome?.error;
  const { epoch, seq, hash } = currentOf(state);
  const { checklist, conflicts } = outcome.value;
  return {
    checklist: { ...checklist, epoch, seq, hash },
    conflicts,
    notices: [...outcome.value.notices, ...notices],
  };
}
