import type { HostBridge } from '../../bridge/bridge.ts';
import { storage } from '../../domain/messages.ts';
import { getChecklist } from '../documents.ts';
import { TrackerError } from '../errors.ts';
import type { GraphqlClient } from '../graphql.ts';
import { applyDemoTemplateToChecklist, applyTemplateToChecklist } from '../mutations.ts';
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
  const input = { issueId, clientId, base: { epoch, seq, hash }, mode: 'APPEND' as const };
  if (templateId === null) {
    await client.mutate(applyDemoTemplateToChecklist, { input }, data => data.applyDemoTemplateToChecklist);
  } else {
    const template = { input: { ...input, templateIds: [templateId] } };
    await client.mutate(applyTemplateToChecklist, template, data => data.applyTemplateToChecklist);
  }
}
