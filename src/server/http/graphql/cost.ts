import {
  type DocumentNode,
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import { CHECKLIST_BODY_BYTES } from '../../quota/limits.ts';

/*
 * The limits of one document. The client's documents have a depth of 4, one field at the root and some hundred tokens.
 */

export const MAX_DEPTH = 8;
export const MAX_TOKENS = 1_000;
/** Comments are no tokens, yet the parser reads and keeps them. Texts of checklists belong into variables. */
const MAX_DOCUMENT_CHARS = 20_000;
const MAX_FIELDS = 100;
/** The sum over the fields at the root, as aliases repeat work without depth. */
const MAX_COST = 5;

/** The costs of fields at the root that read or write many texts, or thousands of rows; that of all others is 1. */
const costs: Readonly<Record<string, number>> = {
  checklistHistory: MAX_COST,
  checklistSummaries: MAX_COST,
  checklistTouches: MAX_COST,
  erasePerson: MAX_COST,
  exportTemplates: MAX_COST,
  importTemplates: MAX_COST,
  statusUse: MAX_COST,
  templateTree: MAX_COST,
  templates: MAX_COST,
};

/** Limits the fields of a document, and the cost of the fields at its root. */
const cheap: ValidationRule = context => {
  const schema = context.getSchema();
  const roots = new Set<unknown>([schema.getQueryType(), schema.getMutationType()]);
  let [fields, cost, isReported] = [0, 0, false];
  return {
    Field(node) {
      fields += 1;
      if (fields === MAX_FIELDS + 1) context.reportError(new GraphQLError('Too many fields.', { nodes: node }));
      // Fields in fragments on a root type count, too.
      if (!roots.has(context.getParentType())) return;
      cost += costs[node.name.value] ?? 1;
      if (cost <= MAX_COST || isReported) return;
      isReported = true;
      context.reportError(new GraphQLError('Too many operations at once.', { nodes: node }));
    },
  };
};

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}

/** Why a document is not parsed. A syntax tree in JSON would be accepted as well, and bypass the parser's limits. */
export function sourceProblem(source: string): string | undefined {
  if (source.length > MAX_DOCUMENT_CHARS)
    return `Too long a query: ${source.length} characters, at most ${MAX_DOCUMENT_CHARS}.`;
  return isJson(source) ? 'Send a query as text.' : undefined;
}

/** Validation rules in addition to those of GraphQL. */
export const validationRules = (introspection: boolean): ValidationRule[] =>
  introspection ? [cheap] : [cheap, NoSchemaIntrospectionCustomRule];

/** The number of a valid document's fields at the root. A fragment counts once: its fields are the same ones each time. */
function rootFields({ definitions }: DocumentNode): number {
  const fragments = new Map(
    definitions.flatMap(each => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const count = ({ selections }: SelectionSetNode): number => selections.reduce((sum, each) => sum + fieldsOf(each), 0);
  const fieldsOf = (selection: SelectionNode): number => {
    if (selection.kind === Kind.FIELD) return 1;
    if (selection.kind === Kind.INLINE_FRAGMENT) return count(selection.selectionSet);
    const fragment = fragments.get(selection.name.value);
    fragments.delete(selection.name.value);
    return fragment ? count(fragment.selectionSet) : 0;
  };
  return definitions.reduce(
    (sum, each) => sum + (each.kind === Kind.OPERATION_DEFINITION ? count(each.selectionSet) : 0),
    0,
  );
}

/**
 * Why the variables are too large for a document that passed validation: several fields may use the same ones, and no
 * document reads more text than the largest body holds.
 */
export function sizeProblem(document: DocumentNode, variables: object | undefined): string | undefined {
  const fields = rootFields(document);
  if (fields < 2) return undefined;
  const size = fields * JSON.stringify(variables ?? {}).length;
  return size > CHECKLIST_BODY_BYTES
    ? `Too much text for ${fields} operations: ${size}, at most ${CHECKLIST_BODY_BYTES}.`
    : undefined;
}
