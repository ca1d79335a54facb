import { expect, test } from 'vitest';
import { PROPERTY_CAPACITY } from '../../src/domain/constants.ts';
import { encodeRegistry, parseRegistry } from '../../src/domain/registry.ts';
import { encodedSize } from '../../src/domain/storage.ts';

const status = (index: number) => ({
  slug: `status_number_${index}`,
  name: `Status number ${index}`,
  color: 'purple' as const,
  checked: index % 2 === 0,
  going: index % 3 === 0,
  former: index % 5 === 0 ? ['One', 'Two'] : [],
});

test('a stored registry is read again, and three hundred statuses fit', () => {
  const statuses = Array.from({ length: 300 }, (_, index) => status(index));
  const stored = encodeRegistry(statuses);
  expect(parseRegistry(JSON.parse(JSON.stringify(stored)))).toEqual(statuses);
  expect(encodedSize(stored)).toBeLessThan(PROPERTY_CAPACITY);
});

test.each([null, 'x', {}, { v: 2, statuses: [] }, { v: 1, statuses: [['a', 'A', 'pink', 0]] }])(
  '%j is not a registry',
  value => {
    expect(parseRegistry(value)).toBeUndefined();
  },
);
