import { isIP } from 'node:net';
import * as v from 'valibot';
import { webUrl } from '../../../domain/shape.ts';
import type { SiteHost } from '../../events/webhooks/deliver.ts';
import { KEY_BYTES } from '../../store/vault.ts';

/*
 * Shapes of settings. Each says what it takes, for operators, and never the value: it may be secret.
 */

/** A list, separated by blanks. */
export const words = v.pipe(
  v.string(),
  v.transform(value => value.split(/\s+/).filter(Boolean)),
);

/** A whole number of something, in digits. */
export const wholeNumber = (what: string, least: number, most: number) =>
  v.pipe(
    v.string(),
    v.check(
      text => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `must be ${what} from ${least} to ${most}: digits only, without a unit`,
    ),
    v.transform(Number),
  );

/** Milliseconds, from a tenth of a second to ten minutes. */
export const milliseconds = wholeNumber('milliseconds', 100, 600_000);
/** Days, up to a hundred years: the database has no dates for any number. */
export const days = wholeNumber('days', 1, 36_500);

/** URL of an external service, used unchanged: a trailing slash or a query may be significant. */
export const service = v.pipe(
  webUrl,
  v.check(
    value => !/^[^/?#]*\/\/[^/?#]*@/.test(value),
    'holds a user or password: a key belongs into its path or query',
  ),
);

/** URL that paths are appended to, without the slash at its end. */
export const address = v.pipe(
  service,
  v.check(value => !/[?#]/.test(value), 'must be an address without ? and #: paths are appended to it'),
  v.transform(value => value.replace(/\/+$/, '')),
);

const KEY_RULE = `must be ${KEY_BYTES} bytes in base64, as "openssl rand -base64 ${KEY_BYTES}" prints them`;
export const encryptionKey = v.pipe(
  v.string(),
  v.base64(KEY_RULE),
  v.transform(value => new Uint8Array(Buffer.from(value, 'base64'))),
  v.check(key => key.length === KEY_BYTES, KEY_RULE),
);

/** A Forge app's UUID or ARI, parsed to the ARI. */
export const forgeApp = v.pipe(
  v.string(),
  v.transform(value => value.replace(/^ari:cloud:ecosystem::app\//, '')),
  v.uuid("must be a Forge app's UUID, or ari:cloud:ecosystem::app/ and the UUID"),
  v.transform(uuid => `ari:cloud:ecosystem::app/${uuid.toLowerCase()}`),
);

export const origin = v.pipe(
  v.string(),
  v.check(
    value => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value,
    'must be origins (https://name or https://name:port), separated by blanks',
  ),
);

export const postgres = v.pipe(
  v.string(),
  v.check(value => /^postgres(ql)?:/i.test(value) && URL.canParse(value), 'is no address of a PostgreSQL database'),
);

const HOST_NAME_PATTERN = String.raw`(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?`;
const PORT_PATTERN = String.raw`(?::\d{1,5})?`;
const hostPattern = new RegExp(String.raw`^(?:${HOST_NAME_PATTERN}|\[[0-9a-f:.]+\])${PORT_PATTERN}$`, 'i');
const sourcePattern = new RegExp(
  String.raw`^(?:'self'|(?:https?://)?(?:${HOST_NAME_PATTERN}|\[[0-9a-f:.]+\])(?::(?:\d{1,5}|\*))?)$`,
  'i',
);

/** A host, with its port if it is not the usual one. */
export const host = v.pipe(
  v.string(),
  v.check(
    value => hostPattern.test(value) && !value.includes('*'),
    'must be hosts (name or name:port, not URLs), separated by blanks',
  ),
  v.toLowerCase(),
);

const siteHostPattern = /^([^=]+)=([^=]+)$/;

/** A host that one site's webhooks may reach. */
export const siteHost = v.pipe(
  v.string(),
  v.check(value => {
    const [, ...pair] = siteHostPattern.exec(value) ?? [];
    return pair.length === 2 && pair.every(each => v.is(host, each));
  }, 'must be pairs of a site and a host for it (site=host, both a name or name:port, not URLs), separated by blanks'),
  v.toLowerCase(),
  v.transform((value): SiteHost => {
    const [, site = '', allowed = ''] = siteHostPattern.exec(value) ?? [];
    return { site, host: allowed };
  }),
);

/** A host, or all hosts of a domain (`*.domain`). */
export const hosts = v.pipe(
  v.string(),
  v.check(
    value => hostPattern.test(value),
    'must be hosts (name, name:port or *.domain, not URLs), separated by blanks',
  ),
  v.toLowerCase(),
);

/** A site that may frame pages, for a header with a syntax of its own. */
export const framer = v.pipe(
  v.string(),
  v.check(
    value => sourcePattern.test(value),
    'must be sites (https://name or https://*.domain, without a path), separated by blanks',
  ),
);

/** Proxies whose forwarding headers are trusted: addresses, networks, or names for several of them. */
export const proxy = v.pipe(
  v.string(),
  v.check(
    value => ['loopback', 'linklocal', 'uniquelocal'].includes(value) || isNetwork(value),
    'must be addresses or networks (10.0.0.0/8), separated by blanks',
  ),
);

/** An address, or a network as address and length of its prefix. */
function isNetwork(value: string): boolean {
  const [, networkAddress = '', prefix = '0'] = /^([^%/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(value) ?? [];
  const bits = { 4: 32, 6: 128 }[isIP(networkAddress)];
  return bits !== undefined && Number(prefix) <= bits;
}
