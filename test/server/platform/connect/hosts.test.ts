import { expect, test } from 'vitest';
import { allowedAddress } from '../../../../src/server/platform/connect/lifecycle.ts';

const patterns = ['*.atlassian.net', 'jira.example', 'localhost'];

test.each([
  ['https://acme.atlassian.net', 'https://acme.atlassian.net'],
  ['https://acme.atlassian.net/', 'https://acme.atlassian.net'],
  ['https://jira.example/jira/', 'https://jira.example/jira'],
  ['http://localhost:2990', 'http://localhost:2990'],
])('%s is stored as %s', (address, kept) => {
  expect(allowedAddress(address, patterns)).toBe(kept);
});

test.each([
  'http://acme.atlassian.net',
  'https://atlassian.net.evil.example',
  'https://evilatlassian.net',
  'https://atlassian.net',
  'https://acme.atlassian.net:8443',
  'https://user@acme.atlassian.net',
  'https://acme.atlassian.net/?a=b',
  'https://acme.atlassian.net@evil.example',
  'https://jira.example:9',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://127.0.0.1:2990',
  'not an address',
  '',
])('%s is refused', address => {
  expect(allowedAddress(address, patterns)).toBeUndefined();
});
