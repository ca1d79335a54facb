import { hashText } from '../../text/document.ts';
import { type ChecklistPayload, sendChange } from '../checklist-operations.ts';
import { MutationRefused } from '../errors.ts';
import type { GraphqlClient } from '../graphql.ts';
import type { Base } from '../reading.ts';
import type { Waiting } from './entry.ts';

/**
 * Sends an entry. If its base is `acknowledged`, the newest text from the server, the base is sent by that one's
 * revision. A base that is unknown to the server is sent as text, under the same client id.
 */
export async function sendEntry(
  graphql: GraphqlClient,
  issueId: string,
  { id, base, edit }: Waiting,
  acknowledged: Base | undefined,
): Promise<ChecklistPayload> {
  const { text, rows } = base;
  const { epoch, seq } = acknowledged?.text === text ? acknowledged : base;
  const sent = { issueId, clientId: id, base: { epoch, seq, hash: await hashText(text) }, change: edit };
  try {
    return await sendChange(graphql, sent);
  } catch (error) {
    if (!(error instanceof MutationRefused && error.code === 'BASE_UNKNOWN')) throw error;
    return sendChange(graphql, { ...sent, base: { ...sent.base, text, ...(rows && { rows: [...rows] }) } });
  }
}
