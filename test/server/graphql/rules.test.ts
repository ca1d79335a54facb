import { parse, specifiedRules, validate } from 'graphql';
import { expect, test } from 'vitest';
import { validationRules } from '../../../src/server/graphql/rules.ts';
import { schema } from '../../../src/server/graphql/schema.ts';

const errors = (query: string, introspection: boolean) =>
  validate(schema, parse(query), [...specifiedRules, ...validationRules(introspection)]).map(({ message }) => message);

test('a production server does not tell its schema', () => {
  expect(errors('{ __schema { types { name } } }', true)).toEqual([]);
  expect(errors('{ __schema { types { name } } }', false)).not.toEqual([]);
  expect(errors('{ featureFlags __typename }', false)).toEqual([]);
});
