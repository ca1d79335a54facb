import type { initGraphQLTada, TadaDocumentNode } from 'gql.tada';
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

/** A document's text. */
export interface Operation<Result, Variables> {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly source: string;
  /** The first field of its answer. */
  readonly field: string;
  /** Both carry types only. */
  readonly result?: Result;
  readonly variables?: Variables;
}

/** The answer and the variables of an operation, by the schema. */
export type ResultOf<Of> = Of extends Operation<infer Result, infer _> ? Result : never;
export type VariablesOf<Of> = Of extends Operation<unknown, infer Variables> ? Variables : never;

export function operation<Result, Variables>(
  document: TadaDocumentNode<Result, Variables>,
): Operation<Result, Variables> {
  const source = String(document);
  const [, kind, name = '', field = ''] = /^(query|mutation) (\w+)[^{]*\{\s*(\w+)/.exec(source) ?? [];
  return { kind: kind === 'mutation' ? 'mutation' : 'query', name, source, field };
}
