import type { HostBridge } from '../../bridge/bridge.ts';
import { storage } from '../../domain/messages.ts';
import { getChecklist } from '../documents.ts';
import { TrackerError } from '../errors.ts';
import type { GraphqlClient } from '../graphql.ts';
import { applyDemoTemplateToChecklist } from '../mutations.ts';
import { getIssue } from '../tracker/issues.ts';

/**
 * Adds the demo checklist to the issue of that key, below what is there. `clientId` is the same for each try of one wish:
 * then it is added once.
 */
export async function tryDemo(
  bridge: HostBridge,
  client: GraphqlClient,
  { issueKey, clientId }: { issueKey: string; clientId: string },
): Promise<void> {
  const { id: issueId } = await getIssue(bridge, issueKey, ['summary']);
  if (issueId === undefined) throw new TrackerError(404, storage.issueNotFound);
  const { epoch, seq, hash } = (await client.query(getChecklist, { issueId })).checklist;
  await client.mutate(
    applyDemoTemplateToChecklist,
    { input: { issueId, clientId, base: { epoch, seq, hash }, mode: 'APPEND' } },
    data => data.applyDemoTemplateToChecklist,
  );
}
