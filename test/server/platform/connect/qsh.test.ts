import { createQueryStringHash, fromMethodAndUrl } from 'atlassian-jwt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathOf, queryStringHash } from '../../../../src/server/platform/connect/qsh.ts';
import { runs } from '../../../run/seed.ts';

const encoded = fc.string({ unit: 'grapheme', maxLength: 8 }).map(encodeURIComponent);
const parameter = fc.tuple(fc.oneof(encoded, fc.constantFrom('a', 'b', 'jwt')), encoded).map(([k, v]) => `${k}=${v}`);
const path = fc.array(encoded, { maxLength: 4 }).map(parts => `/${parts.join('/')}`);
const url = fc
  .tuple(path, fc.array(parameter, { maxLength: 6 }))
  .map(([start, query]) => (query.length ? `${start}?${query.join('&')}` : start));

test("agrees with the vendor's implementation", () => {
  fc.assert(
    fc.property(fc.constantFrom('GET', 'post', 'PUT'), url, (method, address) => {
      expect(queryStringHash(method, address)).toBe(createQueryStringHash(fromMethodAndUrl(method, address)));
    }),
    runs(2_000),
  );
});

test('agrees where the product or the add-on has a base path', () => {
  fc.assert(
    fc.property(url, fc.constantFrom('/jira', '/a/b'), (address, base) => {
      const vendor = createQueryStringHash(fromMethodAndUrl('GET', base + address), false, `https://x.example${base}`);
      expect(queryStringHash('GET', base + address, base)).toBe(vendor);
    }),
    runs(1_000),
  );
});

test('a path that only shares a prefix with the base path is unchanged', () => {
  expect(queryStringHash('GET', '/jirafe', '/jira')).toBe(queryStringHash('GET', '/jirafe'));
  expect(queryStringHash('GET', '/jira', '/jira')).toBe(queryStringHash('GET', '/'));
});

test.each([
  ['https://x.example', ''],
  ['https://x.example/', ''],
  ['https://x.example/a/b/', '/a/b'],
])('the path of %s is "%s"', (address, expected) => {
  expect(pathOf(address)).toBe(expected);
});
