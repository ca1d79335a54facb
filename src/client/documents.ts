import type { initGraphQLTada, TadaDocumentNode } from 'gql.tada';
import * as z from 'zod/mini';
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
  readonly shape: z.ZodMiniType<Result>;
  /** Carries the type only. */
  readonly variables?: Variables;
}

/** The shape must agree with what the schema answers to the document. */
function operation<Result, Variables>(
  document: TadaDocumentNode<Result, Variables>,
  shape: z.ZodMiniType<Result>,
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

const checklistShape = z.object({
  issueId: z.string(),
  epoch: z.string(),
  seq: z.number(),
  hash: z.string(),
  name: z.string(),
  text: z.string(),
  source: z.enum(['PROPERTY', 'FIELD', 'REVISION', 'NONE']),
});

const payloadShape = z.object({
  checklist: z.nullable(checklistShape),
  conflicts: z.array(z.object({ row: z.string(), attribute: z.string(), mine: z.string(), theirs: z.string() })),
  notices: z.array(z.string()),
  errors: z.array(z.object({ code: z.string(), field: z.nullable(z.string()), message: z.string() })),
});

export type ServerChecklist = z.infer<typeof checklistShape>;
export type ChecklistPayload = z.infer<typeof payloadShape>;

export const getFeatureFlags = operation(
  graphql('query getFeatureFlags { featureFlags }'),
  z.object({ featureFlags: z.unknown() }),
);

export const getChecklist = operation(
  graphql(`query getChecklist($issueId: ID!) { checklist(issueId: $issueId) { ${checklistFields} } }`),
  z.object({ checklist: checklistShape }),
);

export const updateChecklistFromText = operation(
  graphql(`mutation updateChecklistFromText($input: UpdateChecklistFromTextInput!) {
    updateChecklistFromText(input: $input) { ${payloadFields} }
  }`),
  z.object({ updateChecklistFromText: payloadShape }),
);

export const addChecklistItemsFromText = operation(
  graphql(`mutation addChecklistItemsFromText($input: AddChecklistItemsFromTextInput!) {
    addChecklistItemsFromText(input: $input) { ${payloadFields} }
  }`),
  z.object({ addChecklistItemsFromText: payloadShape }),
);

export const setItemStatus = operation(
  graphql(`mutation setItemStatus($input: SetItemStatusInput!) {
    setItemStatus(input: $input) { ${payloadFields} }
  }`),
  z.object({ setItemStatus: payloadShape }),
);

export const deleteChecklistItem = operation(
  graphql(`mutation deleteChecklistItem($input: DeleteChecklistItemInput!) {
    deleteChecklistItem(input: $input) { ${payloadFields} }
  }`),
  z.object({ deleteChecklistItem: payloadShape }),
);
