import { parse, validate } from 'graphql/index.js';
import { expect, test } from 'vitest';
import * as documents from '../../src/client/documents.ts';
import * as history from '../../src/client/history.ts';
import * as mutations from '../../src/client/mutations.ts';
import { getStatuses } from '../../src/client/statuses.ts';
import { schema } from '../../src/server/graphql/schema.ts';

test.each(Object.entries({ ...documents, ...history, ...mutations, getStatuses }))(
  'the schema knows everything that %s asks for',
  (name, operation) => {
    expect(validate(schema, parse(operation.source))).toEqual([]);
    expect(operation.name).toBe(name);
    expect(operation.source.startsWith(operation.kind)).toBe(true);
  },
);
