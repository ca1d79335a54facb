/*
 * Addresses of Connect, which the platform redirects to the Forge module with the same key: users have shared them and
 * keep them as bookmarks.
 */

/** The query parameter that holds the path, query and fragment of Connect's address, in base64 (CHANGE-3084). */
const ADDRESS_PARAMETER = 'x_atlassian_cf';

/** Names of the query of Connect: `issue.key` and `ac.issueKey` are `issueKey`. */
const nameOf = (name: string): string =>
  name.replace(/^ac\./, '').replace(/\.([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Reads base64 of UTF-8, also in the alphabet of addresses; `undefined` for anything else. */
function readBase64(text: string): string | undefined {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/').replaceAll(' ', '+'));
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/**
 * The module and the query of Connect's address from which the platform has redirected; `undefined` if the frame's query
 * names none.
 */
export function readRedirect(search: string): { moduleKey: string; search: string } | undefined {
  const encoded = new URLSearchParams(search).get(ADDRESS_PARAMETER);
  const address = encoded === null ? undefined : readBase64(encoded);
  // The base is needed to read a path, and is not used.
  if (address === undefined || !URL.canParse(address, 'https://site.invalid')) return undefined;
  const { pathname, searchParams } = new URL(address, 'https://site.invalid');
  const moduleKey = pathname.split('/').findLast(part => part !== '');
  if (moduleKey === undefined) return undefined;
  const query = new URLSearchParams([...searchParams].map(([name, value]) => [nameOf(name), value]));
  return { moduleKey, search: `?${query}` };
}
