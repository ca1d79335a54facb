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

/** Sorts raw names and values, then encodes them; joins repeated ones by a comma; leaves out the token. */
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
 * `url` is path and query as sent, `basePath` the path of the base URL of the product or app.
 */
export function queryStringHash(method: string, url: string, basePath = ''): string {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? '' : url.slice(mark + 1);
  const request = [method.toUpperCase(), canonicalPath(path, basePath), canonicalQuery(query)].join('&');
  return createHash('sha256').update(request).digest('hex');
}

/** The path of a URL, empty for the root. */
export const pathOf = (address: string): string => new URL(address).pathname.replace(/\/+$/, '');

const TOKEN_LIFETIME_SECONDS = 180;

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const JWT_HEADER = encoded({ alg: 'HS256', typ: 'JWT' });

/**
 * Signs a request of the app (Connect, "Understanding JWT for Connect apps"): HS256 with the shared secret.
 * Synchronous, unlike the library that verifies tokens: every change makes three requests.
 */
export function signRequest(secret: string, qsh: string, tenant: string, now = Date.now()): string {
  const iat = Math.floor(now / 1000);
  const claims = encoded({ qsh, iss: edition.key, aud: tenant, iat, exp: iat + TOKEN_LIFETIME_SECONDS });
  const signature = createHmac('sha256', secret).update(`${JWT_HEADER}.${claims}`).digest('base64url');
  return `${JWT_HEADER}.${claims}.${signature}`;
}
