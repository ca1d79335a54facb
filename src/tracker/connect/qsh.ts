import { createHash } from 'node:crypto';

/**
 * The query string hash that ties a token to one request: SHA-256 of method, path below the base URL, and the sorted
 * query without the token itself.
 */
export function queryHash(method: string, url: string, basePath = ''): string {
  return createHash('sha256')
    .update(canonical(method, url, basePath))
    .digest('hex');
}

function canonical(method: string, url: string, basePath: string): string {
  const [address = '', search = ''] = url.split(/\?(.*)/s);
  const below = address.startsWith(basePath) ? address.slice(basePath.length) : address;
  const path = `/${below.replace(/^\//, '').replace(/\/$/, '')}`.replaceAll('&', '%26');
  const parameters = new URLSearchParams(search);
  const names = [...new Set(parameters.keys())].filter(name => name !== 'jwt').sort(byCodeUnit);
  const query = names.map(name => `${encode(name)}=${parameters.getAll(name).sort(byCodeUnit).map(encode).join(',')}`);
  return `${method.toUpperCase()}&${path}&${query.join('&')}`;
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
