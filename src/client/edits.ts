import { failures, successes } from '../domain/messages.ts';
import { applyChanges } from '../text/document.ts';
import { deleteRow, insertRows, setStatus } from '../text/edits.ts';
import { normaliseItems } from '../text/normalise.ts';
import type { Checklist, Target, TextChange } from '../text/types.ts';
import {
  addChecklistItemsFromText,
  type ChecklistPayload,
  deleteChecklistItem,
  setItemStatus,
  updateChecklistFromText,
} from './documents.ts';
import type { GraphqlClient } from './graphql.ts';

/** What every mutation of a checklist bears. */
export interface Sent {
  issueId: string;
  clientId: string;
  base: { epoch: string; seq: number; hash: string; text?: string };
}

/** One edit: how it shows at once, by the same function as at the server, and how it is sent. */
export interface Edit {
  /** May throw when the row is gone; then the edit does not show before the server has spoken. */
  apply(checklist: Checklist): string;
  send(graphql: GraphqlClient, sent: Sent): Promise<ChecklistPayload>;
}

const changed = (checklist: Checklist, changes: readonly TextChange[]) => applyChanges(checklist.text, changes);

export const statusEdit = (target: Target, status: string): Edit => ({
  apply: checklist => changed(checklist, setStatus(checklist, target, status)),
  send: (graphql, sent) =>
    graphql.mutate(setItemStatus, { input: { ...sent, target, status } }, data => data.setItemStatus),
});

export const addEdit = (text: string, index?: number): Edit => ({
  apply: checklist => changed(checklist, insertRows(checklist, index ?? checklist.rows.length, normaliseItems(text))),
  send: (graphql, sent) => {
    const input = { ...sent, text, ...(index !== undefined && { index }) };
    return graphql.mutate(addChecklistItemsFromText, { input }, data => data.addChecklistItemsFromText);
  },
});

export const deleteEdit = (target: Target): Edit => ({
  apply: checklist => changed(checklist, deleteRow(checklist, target)),
  send: (graphql, sent) =>
    graphql.mutate(deleteChecklistItem, { input: { ...sent, target } }, data => data.deleteChecklistItem),
});

/** The whole text, typed over `base`. It shows at once only where nobody has changed the text meanwhile. */
export const replaceEdit = (text: string, base: string, name?: string): Edit => ({
  apply: checklist => (checklist.text === base ? text : checklist.text),
  send: (graphql, sent) => {
    const input = { ...sent, text, ...(name !== undefined && { name }) };
    return graphql.mutate(updateChecklistFromText, { input }, data => data.updateChecklistFromText);
  },
});

/** What is said when an edit fails, unless it was refused in words of its own, and when it succeeds (spec §8). */
export const editMessages = {
  setStatus: { failure: failures.updateChecklist },
  addItems: { failure: failures.addItem },
  deleteItem: { failure: failures.deleteItem },
  replaceText: { failure: failures.updateChecklist, success: successes.updateChecklist },
} as const;
