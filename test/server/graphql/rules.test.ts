import { parse, specifiedRules, validate } from 'graphql';
import { expect, test } from 'vitest';
import { validationRules } from '../../../src/server/graphql/plugin.ts';
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
