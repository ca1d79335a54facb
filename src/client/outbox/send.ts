import type { ChecklistChange, RowEdit } from '../../domain/edits.ts';
import { hashText } from '../../text/document.ts';
import { MutationRefused } from '../errors.ts';
import type { GraphqlClient } from '../graphql.ts';
import type { ChecklistPayload } from '../mutations.ts';
import * as mutations from '../mutations.ts';
import type { Base } from '../reading.ts';
import type { Waiting } from './entry.ts';

/** What every mutation of a checklist bears. */
interface Sent {
  issueId: string;
  clientId: string;
  base: { epoch: string; seq: number; hash: string; text?: string };
}

type Send = {
  [Kind in ChecklistChange['kind']]: (
    graphql: GraphqlClient,
    input: Sent & Omit<Extract<ChecklistChange, { kind: Kind }>, 'kind'>,
  ) => Promise<ChecklistPayload>;
};

/** An edit under the name that the mutation has for it. */
export function rowEditInput({ kind, ...edit }: RowEdit) {
  if ('status' in edit) return { setStatus: edit };
  return 'values' in edit ? { update: edit } : { delete: edit };
}

/** The mutation of each kind; its input is what the change says, beside what all of them bear. */
const senders: Send = {
  updateChecklistFromText: (graphql, input) =>
    graphql.mutate(mutations.updateChecklistFromText, { input }, data => data.updateChecklistFromText),
  addChecklistItemsFromText: (graphql, input) =>
    graphql.mutate(mutations.addChecklistItemsFromText, { input }, data => data.addChecklistItemsFromText),
  setItemStatus: (graphql, input) => graphql.mutate(mutations.setItemStatus, { input }, data => data.setItemStatus),
  updateChecklistItem: (graphql, input) =>
    graphql.mutate(mutations.updateChecklistItem, { input }, data => data.updateChecklistItem),
  deleteChecklistItem: (graphql, input) =>
    graphql.mutate(mutations.deleteChecklistItem, { input }, data => data.deleteChecklistItem),
  changeChecklistItems: (graphql, { edits, ...rest }) =>
    graphql.mutate(
      mutations.changeChecklistItems,
      { input: { ...rest, edits: edits.map(rowEditInput) } },
      data => data.changeChecklistItems,
    ),
  moveChecklistItem: (graphql, { targets, ...rest }) =>
    graphql.mutate(
      mutations.moveChecklistItem,
      { input: { ...rest, targets: [...targets] } },
      data => data.moveChecklistItem,
    ),
  clearChecklist: (graphql, input) => graphql.mutate(mutations.clearChecklist, { input }, data => data.clearChecklist),
  applyTemplateToChecklist: (graphql, { templateIds, ...rest }) =>
    graphql.mutate(
      mutations.applyTemplateToChecklist,
      { input: { ...rest, templateIds: [...templateIds] } },
      data => data.applyTemplateToChecklist,
    ),
  applyDemoTemplateToChecklist: (graphql, input) =>
    graphql.mutate(mutations.applyDemoTemplateToChecklist, { input }, data => data.applyDemoTemplateToChecklist),
  convertItemToIssue: (graphql, input) =>
    graphql.mutate(mutations.convertItemToIssue, { input }, data => data.convertItemToIssue),
  restoreChecklistRevision: (graphql, input) =>
    graphql.mutate(mutations.restoreChecklistRevision, { input }, data => data.restoreChecklistRevision),
};

function mutate<Kind extends ChecklistChange['kind']>(
  graphql: GraphqlClient,
  sent: Sent,
  { kind, ...values }: Extract<ChecklistChange, { kind: Kind }>,
): Promise<ChecklistPayload> {
  return senders[kind](graphql, { ...sent, ...values });
}

/**
 * Sends an entry. `acknowledged` is the newest text that the server has told of: where the entry was made on that very
 * text, it goes by that one's place in the history. A base that the server does not know is sent along, under the same id.
 */
export async function sendEntry(
  graphql: GraphqlClient,
  issueId: string,
  { id, base, edit }: Waiting,
  acknowledged: Base | undefined,
): Promise<ChecklistPayload> {
  const { text } = base;
  const { epoch, seq } = acknowledged?.text === text ? acknowledged : base;
  const sent = { issueId, clientId: id, base: { epoch, seq, hash: await hashText(text) } };
  try {
    return await mutate(graphql, sent, edit);
  } catch (error) {
    if (!(error instanceof MutationRefused && error.code === 'BASE_UNKNOWN')) throw error;
    return mutate(graphql, { ...sent, base: { ...sent.base, text } }, edit);
  }
}
