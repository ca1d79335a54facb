import { GraphQLError, NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';

/** Limits on documents. Ours need a depth of 4, one field at the root and some hundred tokens. */
export const MAX_DEPTH = 8;
export const MAX_TOKENS = 1_000;
const MAX_FIELDS = 100;
const MAX_ROOT_FIELDS = 5;

/** Aliases repeat work without depth: so many fields in a document, so many of them at a root. */
const fewFields: ValidationRule = context => {
  const schema = context.getSchema();
  const roots = new Set<unknown>([schema.getQueryType(), schema.getMutationType()]);
  let [fields, rootFields] = [0, 0];
  return {
    Field(node) {
      fields += 1;
      if (fields === MAX_FIELDS + 1) context.reportError(new GraphQLError('Too many fields.', { nodes: node }));
      // Those in fragments count too: they end up at the root.
      if (!roots.has(context.getParentType())) return;
      rootFields += 1;
      if (rootFields === MAX_ROOT_FIELDS + 1) {
        context.reportError(new GraphQLError('Too many operations at once.', { nodes: node }));
      }
    },
  };
};

/** What documents are checked for besides the language's own rules. */
export const validationRules = (introspection: boolean): ValidationRule[] =>
  introspection ? [fewFields] : [fewFields, NoSchemaIntrospectionCustomRule];
