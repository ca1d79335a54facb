import { parse, specifiedRules, validate } from 'graphql';
import { expect, test } from 'vitest';
import { sizeProblem, validationRules } from '../../../src/server/graphql/cost.ts';
import { schema } from '../../../src/server/graphql/schema.ts';

const errors = (query: string, introspection: boolean) =>
  validate(schema, parse(query), [...specifiedRules, ...validationRules(introspection)]).map(({ message }) => message);

test('a production server has no introspection', () => {
  expect(errors('{ __schema { types { name } } }', true)).toEqual([]);
  expect(errors('{ __schema { types { name } } }', false)).not.toEqual([]);
  expect(errors('{ featureFlags __typename }', false)).toEqual([]);
});

test('root fields are not multiplied by aliases or fragments', () => {
  const reads = (count: number) =>
    Array.from({ length: count }, (_, i) => `a${i}: checklist(issueId: 1) { text }`).join(' ');
  const refused = ['Too many operations at once.'];
  expect(errors(`{ ${reads(5)} }`, false)).toEqual([]);
  expect(errors(`{ ${reads(6)} }`, false)).toEqual(refused);
  expect(errors(`{ ...Many } fragment Many on Query { ${reads(6)} }`, false)).toEqual(refused);
  expect(errors(`{ ... on Query { ${reads(6)} } }`, false)).toEqual(refused);
});

test('a field that compares many texts is the only one of its document', () => {
  const refused = ['Too many operations at once.'];
  for (const heavy of [
    'checklistTouches(issueId: 1) { row }',
    'checklistHistory(issueId: 1) { entries { seq } }',
    'checklistSummaries(issueIds: [1]) { total }',
    'statusUse(slug: "a") { items }',
  ]) {
    expect(errors(`{ ${heavy} }`, false)).toEqual([]);
    expect(errors(`{ ${heavy} featureFlags }`, false)).toEqual(refused);
    expect(errors(`{ a: ${heavy} b: ${heavy} c: ${heavy} d: ${heavy} e: ${heavy} }`, false)).toEqual(refused);
    expect(errors(`{ a: ${heavy} ...More } fragment More on Query { b: ${heavy} }`, false)).toEqual(refused);
  }
});

test('variables that several fields use count for each of them', () => {
  const change = 'changeChecklist(input: $input) { notices }';
  const mutation = (fields: string, more = '') =>
    parse(`mutation run($input: ChangeChecklistInput!) { ${fields} } ${more}`);
  const input = { text: 'x'.repeat(300_000) };
  const small = { text: 'x'.repeat(30_000) };
  expect(sizeProblem(mutation(change), { input })).toBeUndefined();
  expect(sizeProblem(mutation(`a: ${change} b: ${change}`), { input })).toContain('at most');
  expect(sizeProblem(mutation(`a: ${change} b: ${change}`), { input: small })).toBeUndefined();
  const fragment = (fields: string) => `fragment More on Mutation { ${fields} }`;
  expect(sizeProblem(mutation('...More', fragment(`a: ${change} b: ${change}`)), { input })).toContain('at most');
  // Spread twice it is still the same field.
  expect(sizeProblem(mutation('...More ...More', fragment(`a: ${change}`)), { input })).toBeUndefined();
});
