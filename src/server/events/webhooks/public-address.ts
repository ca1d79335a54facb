import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that are not reached through the internet: private, loopback, link-local, reserved (RFC 6890). */
const closed = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  closed.addSubnet(network, prefix);
}
/** Of IPv6 only global unicast is open, without its reserved parts and those that hold an IPv4 address. */
const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  closed.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address is one of the internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closed.check(address);
    case 6:
      return open6.check(address, 'ipv6') && !closed.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Thrown for a host with an address that is none of the internet. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

/** The IP address that a URL's host is; `undefined` for a name. */
export const addressIn = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? host : undefined;
};

type Resolve = (
  host: string,
  options: { all: true; family?: number },
  done: (error: Error | null, found: { address: string; family: number }[]) => void,
) => void;

/** Resolves a host while a connection is made, so that no other answer can follow the check. */
export const createPublicLookup =
  (lookup: Resolve = resolve): LookupFunction =>
  (host, { all, family }, done) => {
    const number = { IPv4: 4, IPv6: 6 }[String(family)] ?? (typeof family === 'number' ? family : 0);
    lookup(host, { all: true, family: number }, (error, found) => {
      if (error) return done(error, []);
      const [first] = found;
      if (!first || !found.every(({ address }) => isPublicAddress(address))) return done(new PrivateAddress(), []);
      return all ? done(null, found) : done(null, first.address, first.family);
    });
  };
