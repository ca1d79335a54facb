import * as v from 'valibot';
import type { ChangeKind, ChecklistChange, SentBase } from '../domain/change.ts';
import type { GraphqlClient } from './graphql.ts';
import { checklistFields, checklistShape, conflictShape, graphql, operation } from './operation.ts';

export const getChecklist = operation(
  graphql(`query getChecklist($issueId: ID!) {
    checklist(issueId: $issueId) { ${checklistFields} copyNotice }
  }`),
  v.object({ checklist: v.object({ ...checklistShape.entries, copyNotice: v.nullish(v.string()) }) }),
);

const payloadFields = `
  checklist { ${checklistFields} }
  conflicts { row attribute mine theirs rowId }
  notices
  errors { code field message }
` as const;

const payloadShape = v.object({
  checklist: v.nullable(checklistShape),
  conflicts: v.array(conflictShape),
  notices: v.array(v.string()),
  errors: v.array(v.object({ code: v.string(), field: v.nullable(v.string()), message: v.string() })),
});

/** The payload of every checklist mutation. */
export type ChecklistPayload = v.InferOutput<typeof payloadShape>;

const changeChecklist = operation(
  graphql(`mutation changeChecklist($input: ChangeChecklistInput!) {
    changeChecklist(input: $input) { ${payloadFields} }
  }`),
  v.object({ changeChecklist: payloadShape }),
);

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
