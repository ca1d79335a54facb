import type { LookupOptions } from 'node:dns';
import { expect, test } from 'vitest';
import { isAllowed } from '../../../../src/server/events/webhooks/deliver.ts';
import {
  createPublicLookup,
  isPublicAddress,
  PrivateAddress,
} from '../../../../src/server/events/webhooks/public-address.ts';

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  'fd12::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'ff02::1',
  'localhost',
  '',
])('%s is not public', address => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '172.32.0.1', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450::1'])('%s is public', address => {
  expect(isPublicAddress(address)).toBe(true);
});

const SITE = 'https://site.example.net';

test.each([
  'http://receiver.example/x',
  'https://127.0.0.1/x',
  'https://[::1]/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://localhost/x',
  'https://intranet/x',
  'https://ana:secret@receiver.example/x',
  'ftp://receiver.example/x',
  'receiver.example',
  '',
])('%s is not allowed as a receiver', url => {
  expect(isAllowed(SITE, url)).toBe(false);
});

test('https is allowed, and what the operator names for the site', () => {
  const hosts = [{ site: 'site.example.net', host: 'localhost:2990' }];
  expect(isAllowed(SITE, 'https://receiver.example/hook?x=1')).toBe(true);
  expect(isAllowed(SITE, 'https://8.8.8.8/hook')).toBe(true);
  expect(isAllowed(SITE, 'http://localhost:2990/x', hosts)).toBe(true);
  expect(isAllowed(SITE, 'http://localhost:2991/x', hosts)).toBe(false);
  expect(isAllowed('https://other.example.net', 'http://localhost:2990/x', hosts)).toBe(false);
});

/** Resolves a name to addresses by the guarded lookup. */
const lookUp = (addresses: readonly string[], options: LookupOptions = { all: true }) =>
  new Promise((resolve, reject) => {
    const found = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }));
    const lookup = createPublicLookup((_host, _options, done) => done(null, found));
    lookup('receiver.example', options, (error, ...rest) => (error ? reject(error) : resolve(rest)));
  });

test('a name is not connected to where any of its addresses is private', async () => {
  await expect(lookUp(['8.8.8.8', '10.0.0.1'])).rejects.toThrow(PrivateAddress);
  await expect(lookUp([])).rejects.toThrow(PrivateAddress);
  expect(await lookUp(['8.8.8.8'])).toEqual([[{ address: '8.8.8.8', family: 4 }]]);
  expect(await lookUp(['2a00:1450::1'], {})).toEqual(['2a00:1450::1', 6]);
});
