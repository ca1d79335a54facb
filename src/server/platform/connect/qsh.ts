import { createHash, createHmac } from 'node:crypto';
import { edition } from '../../../domain/edition.ts';

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

function canonicalPath(path: string, basePath: string): string {
  const inside = basePath && (path === basePath || path.startsWith(`${basePath}/`));
  const relative = (inside ? path.slice(basePath.length) : path).replace(/&/g, '%26');
  const rooted = relative.startsWith('/') ? relative : `/${relative}`;
  return rooted.length > 1 && rooted.endsWith('/') ? rooted.slice(0, -1) : rooted;
}

/** Raw names and values are sorted, then encoded; repeated ones joined by a comma; the token itself left out. */
function canonicalQuery(query: string): string {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== 'jwt') values.set(name, [...(values.get(name) ?? []), value]);
  }
  return [...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, list]) => `${encode(name)}=${list.sort().map(encode).join(',')}`)
    .join('&');
}

/**
 * The query string hash that binds a token to one request (Connect, "Query string hash"): SHA-256 in hex.
 * `url` is path and query as they are on the wire, `basePath` the path that the product or add-on lives under.
 */
export function queryStringHash(method: string, url: string, basePath = ''): string {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? '' : url.slice(mark + 1);
  const request = [method.toUpperCase(), canonicalPath(path, basePath), canonicalQuery(query)].join('&');
  return createHash('sha256').update(request).digest('hex');
}

/** The path of an address, empty for the root. */
export const pathOf = (address: string): string => new URL(address).pathname.replace(/\/+$/, '');

/** Seconds for which a token of ours is good. */
const LIFE = 180;

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const HEADER = encoded({ alg: 'HS256', typ: 'JWT' });

/**
 * The token of one request of ours (Connect, "Understanding JWT for Connect apps"): HS256 with the shared secret. Made
 * here and not by the library that checks tokens, which takes a thread's turn for each: every change makes three.
 */
export function signRequest(secret: string, qsh: string, tenant: string, now = Date.now()): string {
  const iat = Math.floor(now / 1000);
  const claims = encoded({ qsh, iss: edition.key, aud: tenant, iat, exp: iat + LIFE });
  const signature = createHmac('sha256', secret).update(`${HEADER}.${claims}`).digest('base64url');
  return `${HEADER}.${claims}.${signature}`;
}
