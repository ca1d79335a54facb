import type { HostBridge } from '../../bridge/bridge.ts';
import type { ChecklistChange } from '../../domain/change.ts';
import { storage } from '../../domain/messages.ts';
import { getChecklist, sendChange } from '../checklist-operations.ts';
import { TrackerError } from '../errors.ts';
import type { GraphqlClient } from '../graphql.ts';
import { graphql, operation } from '../operation.ts';
import { getIssue } from '../tracker/issues.ts';

/** Progress of the steps shown to a new site. */
export const getGettingStarted = operation(
  graphql('query getGettingStarted { gettingStarted { hasChecklist hasTemplate templateId templateName } }'),
);

export interface FirstChecklist {
  issueKey: string;
  /** Idempotency key: the same for each retry. */
  clientId: string;
  /** The template that a new site starts with; `null` is the demo checklist. */
  templateId: string | null;
}

/** Adds a user's first checklist to an issue, below existing rows. */
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
