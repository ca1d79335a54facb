import type { HostBridge } from '../../bridge/bridge.ts';
import type { ChecklistChange } from '../../domain/change.ts';
import { storage } from '../../domain/messages.ts';
import { getChecklist } from '../documents.ts';
import { TrackerError } from '../errors.ts';
import type { GraphqlClient } from '../graphql.ts';
import { sendChange } from '../checklist-operations.ts';
import { getIssue } from '../tracker/issues.ts';

export interface FirstChecklist {
  issueKey: string;
  /** The same for each try of one wish: then it is added once. */
  clientId: string;
  /** The template that a new site starts with; `null` is the demo checklist. */
  templateId: string | null;
}

/** Adds somebody's first checklist to an issue, below what is there. */
export async function addFirstChecklist(
  bridge: HostBridge,
  client: GraphqlClient,
  { issueKey, clientId, templateId }: FirstChecklist,
): Promise<void> {
  const { id: issueId } = await getIssue(bridge, issueKey, ['summary']);
  if (issueId === undefined) throw new TrackerError(404, storage.issueNotFound);
  const { epoch, seq, hash } = (await client.query(getChecklist, { issueId })).checklist;
  const base = { epoch, seq, hash };
  const mode = 'APPEND';
  const change: ChecklistChange =
    templateId === null
      ? { kind: 'applyDemoTemplateToChecklist', mode }
      : { kind: 'applyTemplateToChecklist', templateIds: [templateId], mode };
  await sendChange(client, { issueId, clientId, base, change });
}
