import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql/index.js';

/** The types of the fields that a document selects, in its order. */
function selectedTypes(schema: GraphQLSchema, source: string): { field: string; type: GraphQLOutputType }[] {
  const types = new TypeInfo(schema);
  const selected: { field: string; type: GraphQLOutputType }[] = [];
  visit(
    parse(source),
    visitWithTypeInfo(types, {
      Field({ name }) {
        const type = types.getType();
        if (type) selected.push({ field: `${types.getParentType()?.name}.${name.value}`, type });
      },
    }),
  );
  return selected;
}

/** Whether a client that expects one type can read values of another. */
function isReadable(type: GraphQLOutputType, expected: GraphQLOutputType): boolean {
  if (isNonNullType(expected)) return isNonNullType(type) && isReadable(type.ofType, expected.ofType);
  if (isNonNullType(type)) return isReadable(type.ofType, expected);
  if (isListType(expected)) return isListType(type) && isReadable(type.ofType, expected.ofType);
  if (isListType(type) || getNamedType(type).name !== getNamedType(expected).name) return false;
  if (!isEnumType(expected) || !isEnumType(type)) return true;
  return type.getValues().every(({ name }) => expected.getValue(name) !== undefined);
}

/** The fields of a document whose values a client that was typed by an older schema may be unable to read. */
export function unreadableFields(schema: GraphQLSchema, olderSchema: GraphQLSchema, source: string): string[] {
  const expected = selectedTypes(olderSchema, source);
  return selectedTypes(schema, source).flatMap(({ field, type }, index) => {
    const older = expected[index];
    return older && isReadable(type, older.type) ? [] : [`${field}: ${type}`];
  });
}
