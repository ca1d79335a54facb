import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeJson } from '../../../src/server/platform/json.ts';

const DEPTH = 100_000;
const deep = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

test('writes values nested deeper than JSON.stringify can', () => {
  const value: unknown = JSON.parse(deep);
  expect(() => JSON.stringify(value)).toThrow(RangeError);
  expect(writeJson(value) === deep).toBe(true);
  const named = `${'{"a b":[1,'.repeat(DEPTH)}null${']}'.repeat(DEPTH)}`;
  expect(writeJson(JSON.parse(named)) === named).toBe(true);
});

test('writes any value as JSON.stringify does, also beside a deep one', () => {
  const value: unknown = JSON.parse(deep);
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (json, isAbsent) => {
      const object = { first: json, ...(isAbsent && { absent: undefined }), last: [json] };
      expect(writeJson(object)).toBe(JSON.stringify(object));
      const written = `{"first":${JSON.stringify(json)},"last":[${JSON.stringify(json)}],"deep":${deep}}`;
      expect(writeJson({ ...object, deep: value }) === written).toBe(true);
    }),
    { numRuns: 20 },
  );
});
