import { createQueryStringHash, fromMethodAndUrl } from 'atlassian-jwt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryHash } from '../../src/tracker/connect/qsh.ts';
import { runs } from '../run/seed.ts';

const part = fc.string({ unit: fc.constantFrom(..."ab/ +&=%?é!'()*~-_.:,".split('')), maxLength: 8 });
const name = part.filter(text => text !== '' && text !== 'jwt');

test('the hash is the one that the vendor computes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('get', 'POST', 'put'),
      fc.array(part.map(encodeURIComponent), { maxLength: 4 }),
      fc.array(fc.tuple(name, part), { maxLength: 5 }),
      (method, path, query) => {
        const search = new URLSearchParams(query).toString();
        const url = `/${path.join('/')}${search && `?${search}`}`.replace(/\/\/+/g, '/');
        expect(queryHash(method, url)).toBe(createQueryStringHash(fromMethodAndUrl(method, url), false));
      },
    ),
    runs(500),
  );
});

test('the token itself and the path of the base address are left out', () => {
  expect(queryHash('GET', '/base/page?b=2&jwt=abc&a=1', '/base')).toBe(queryHash('GET', '/page?a=1&b=2'));
});
