const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a host name, with its port if it has one, fits `name`, `name:port` or `*.domain`. */
function fits(url: URL, pattern: string): boolean {
  if (pattern.startsWith('*.')) return url.host.endsWith(pattern.slice(1));
  return pattern === url.host || (pattern === url.hostname && loopback.has(url.hostname));
}

/**
 * A tenant's address as it is kept, or `undefined` when none of the patterns allows its host. Only this machine itself
 * may be spoken to without encryption.
 */
export function allowedAddress(address: string, patterns: readonly string[]): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
  if (!safe || url.username || url.search || url.hash) return undefined;
  return patterns.some(pattern => fits(url, pattern)) ? url.href.replace(/\/+$/, '') : undefined;
}
