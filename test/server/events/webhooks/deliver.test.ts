import { expect, test } from 'vitest';
import { createDeliver } from '../../../../src/server/events/webhooks/deliver.ts';
import { createPublicLookup } from '../../../../src/server/events/webhooks/public-address.ts';
import { startReceiver } from '../../support/receiver.ts';

const SITE = 'https://site.example.net';
const call = (url: string, site = SITE) => ({ site, url, headers: { 'x-call': '1' }, body: '{"a":"ä"}' });
const ofSite = (...hosts: readonly string[]) => hosts.map(host => ({ site: 'site.example.net', host }));

test('a call has its headers and body; the answer is its status', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => ({ status: 202 });
  const deliver = createDeliver({ privateHosts: ofSite(receiver.host) });
  expect(await deliver(call(receiver.url))).toMatchObject({ status: 202, took: expect.any(Number) });
  expect(receiver.received).toMatchObject([{ headers: { 'x-call': '1', 'content-length': '10' }, body: '{"a":"ä"}' }]);
});

test('a receiver that hangs, is closed, or has no name, has not answered', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => undefined;
  const deliver = createDeliver({ privateHosts: ofSite(receiver.host, '127.0.0.1:1'), time: 200 });
  expect(await deliver(call(receiver.url))).toMatchObject({ status: 0 });
  expect(receiver.received).toHaveLength(1);
  expect(await deliver(call('http://127.0.0.1:1/'))).toMatchObject({ status: 0 });
  expect(await deliver(call('https://receiver.invalid/'))).toMatchObject({ status: 0 });
  expect(await deliver(call('no address'))).toMatchObject({ status: 0 });
});

test('an answer is not read, and a redirect to a private address not followed', async () => {
  const [receiver, inside] = [await startReceiver(), await startReceiver()];
  receiver.answer = () => ({ status: 301, headers: { location: inside.url } });
  const deliver = createDeliver({ privateHosts: ofSite(receiver.host) });
  expect(await deliver(call(receiver.url))).toMatchObject({ status: 301 });
  expect(inside.received).toEqual([]);
});

test('a private address is not connected to, also behind a name that resolves to it', async () => {
  const receiver = await startReceiver();
  const port = receiver.host.split(':')[1];
  const lookup = createPublicLookup((_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]));
  const deliver = createDeliver({ lookup });
  for (const url of [receiver.url, `https://127.0.0.1:${port}/`, `https://receiver.example:${port}/`]) {
    expect(await deliver(call(url))).toMatchObject({ status: 0 });
  }
  expect(receiver.received).toEqual([]);
});

test("a private host of one site is not reached by another site's webhooks", async () => {
  const receiver = await startReceiver();
  const deliver = createDeliver({ privateHosts: ofSite(receiver.host) });
  expect(await deliver(call(receiver.url, 'https://other.example.net'))).toMatchObject({ status: 0 });
  expect(await deliver(call(receiver.url, `${SITE}:8443`))).toMatchObject({ status: 0 });
  expect(receiver.received).toEqual([]);
});
