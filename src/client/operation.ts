import type { initGraphQLTada, TadaDocumentNode } from 'gql.tada';
import * as v from 'valibot';
import type { ChecklistChange } from '../domain/change.ts';
import type { introspection } from './graphql-env.d.ts';

type Tada = initGraphQLTada<{
  introspection: introspection;
  scalars: { JSON: unknown; ChecklistChange: ChecklistChange };
}>;

/**
 * Types a document by gql.tada and our schema. Only the text is sent, so at run time a document is its text and
 * gql.tada's parser stays out of the bundle.
 */
export const graphql = ((source: string) => source) as unknown as Tada;

/** A document's text, its variables and the shape of its answer. */
export interface Operation<Result, Variables> {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly source: string;
  readonly shape: v.GenericSchema<unknown, Result>;
  /** Carries the type only. */
  readonly variables?: Variables;
}

/** Creates an operation; the shape must agree with the schema's answer. */
export function operation<Result, Variables>(
  document: TadaDocumentNode<Result, Variables>,
  shape: v.GenericSchema<unknown, Result>,
): Operation<Result, Variables> {
  const source = String(document);
  const [, kind, name = ''] = /^(query|mutation) (\w+)/.exec(source) ?? [];
  return { kind: kind === 'mutation' ? 'mutation' : 'query', name, source, shape };
}

export const checklistFields = 'issueId epoch seq hash name text rowIds source';

export const checklistShape = v.object({
  issueId: v.string(),
  epoch: v.string(),
  seq: v.number(),
  hash: v.string(),
  name: v.string(),
  text: v.string(),
  /** Empty where they are not known. */
  rowIds: v.optional(v.array(v.string()), []),
  source: v.picklist(['PROPERTY', 'FIELD', 'REVISION', 'NONE']),
});

export const conflictShape = v.object({
  row: v.string(),
  attribute: v.string(),
  mine: v.string(),
  theirs: v.string(),
  rowId: v.optional(v.nullable(v.string()), null),
});

export type ServerChecklist = v.InferOutput<typeof checklistShape>;
