import type { initGraphQLTada, TadaDocumentNode } from 'gql.tada';
import * as v from 'valibot';
import type { introspection } from './graphql-env.d.ts';

type Tada = initGraphQLTada<{ introspection: introspection; scalars: { JSON: unknown } }>;

/**
 * gql.tada types a document by its text and our schema. Only the text is sent, so at run time a document is its text,
 * and gql.tada's parser stays out of the bundle.
 */
const graphql = ((source: string) => source) as unknown as Tada;

/** A document as it is sent, its variables, and the shape that its answer must have. */
export interface Operation<Result, Variables> {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly source: string;
  readonly shape: v.GenericSchema<unknown, Result>;
  /** Carries the type only. */
  readonly variables?: Variables;
}

/** The shape must agree with what the schema answers to the document. */
function operation<Result, Variables>(
  document: TadaDocumentNode<Result, Variables>,
  shape: v.GenericSchema<unknown, Result>,
): Operation<Result, Variables> {
  const source = String(document);
  const [, kind, name = ''] = /^(query|mutation) (\w+)/.exec(source) ?? [];
  return { kind: kind === 'mutation' ? 'mutation' : 'query', name, source, shape };
}

const checklistFields = 'issueId epoch seq hash name text source';
const payloadFields = `
  checklist { ${checklistFields} }
  conflicts { row attribute mine theirs }
  notices
  errors { code field message }
` as const;

const checklistShape = v.object({
  issueId: v.string(),
  epoch: v.string(),
  seq: v.number(),
  hash: v.string(),
  name: v.string(),
  text: v.string(),
  source: v.picklist(['PROPERTY', 'FIELD', 'REVISION', 'NONE']),
});

const payloadShape = v.object({
  checklist: v.nullable(checklistShape),
  conflicts: v.array(v.object({ row: v.string(), attribute: v.string(), mine: v.string(), theirs: v.string() })),
  notices: v.array(v.string()),
  errors: v.array(v.object({ code: v.string(), field: v.nullable(v.string()), message: v.string() })),
});

export type ServerChecklist = v.InferOutput<typeof checklistShape>;
export type ChecklistPayload = v.InferOutput<typeof payloadShape>;

export const getFeatureFlags = operation(
  graphql('query getFeatureFlags { featureFlags }'),
  v.object({ featureFlags: v.unknown() }),
);

export const getChecklist = operation(
  graphql(`query getChecklist($issueId: ID!) { checklist(issueId: $issueId) { ${checklistFields} } }`),
  v.object({ checklist: checklistShape }),
);

export const getEditors = operation(
  graphql('query getEditors($issueId: ID!) { editors(issueId: $issueId) }'),
  v.object({ editors: v.array(v.string()) }),
);

export const updateChecklistFromText = operation(
  graphql(`mutation updateChecklistFromText($input: UpdateChecklistFromTextInput!) {
    updateChecklistFromText(input: $input) { ${payloadFields} }
  }`),
  v.object({ updateChecklistFromText: payloadShape }),
);

export const addChecklistItemsFromText = operation(
  graphql(`mutation addChecklistItemsFromText($input: AddChecklistItemsFromTextInput!) {
    addChecklistItemsFromText(input: $input) { ${payloadFields} }
  }`),
  v.object({ addChecklistItemsFromText: payloadShape }),
);

export const setItemStatus = operation(
  graphql(`mutation setItemStatus($input: SetItemStatusInput!) {
    setItemStatus(input: $input) { ${payloadFields} }
  }`),
  v.object({ setItemStatus: payloadShape }),
);

export const deleteChecklistItem = operation(
  graphql(`mutation deleteChecklistItem($input: DeleteChecklistItemInput!) {
    deleteChecklistItem(input: $input) { ${payloadFields} }
  }`),
  v.object({ deleteChecklistItem: payloadShape }),
);
