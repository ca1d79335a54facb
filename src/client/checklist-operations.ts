import type { ChangeKind, ChecklistChange, SentBase } from '../domain/change.ts';
import type { GraphqlClient } from './graphql.ts';
import { graphql, operation, type ResultOf } from './operation.ts';

const checklistFields = 'issueId epoch seq hash name text rowIds conflictSeq source';

export const getChecklist = operation(
  graphql(`query getChecklist($issueId: ID!) {
    checklist(issueId: $issueId) { ${checklistFields} copyNotice }
  }`),
);

export type ServerChecklist = Omit<ResultOf<typeof getChecklist>['checklist'], 'copyNotice'>;

const payloadFields = `
  checklist { ${checklistFields} }
  conflicts { row attribute mine theirs rowId }
  notices
  errors { code field message }
` as const;

const changeChecklist = operation(
  graphql(`mutation changeChecklist($input: ChangeChecklistInput!) {
    changeChecklist(input: $input) { ${payloadFields} }
  }`),
);

/** The payload of every checklist mutation. */
export type ChecklistPayload = ResultOf<typeof changeChecklist>['changeChecklist'];

/** The mutation for a kind of change, under that name: analytics count operations by name. */
export const changeOperation = (kind: ChangeKind): typeof changeChecklist => ({
  ...changeChecklist,
  name: kind,
  source: changeChecklist.source.replace(changeChecklist.name, kind),
});

/** A change as sent; `clientId` is its idempotency key. */
interface SentChange {
  issueId: string;
  clientId: string;
  base: SentBase;
  change: ChecklistChange;
}

export const sendChange = (graphql: GraphqlClient, input: SentChange): Promise<ChecklistPayload> =>
  graphql.mutate(changeOperation(input.change.kind), { input }, data => data.changeChecklist);
