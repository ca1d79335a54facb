import type { Tenant } from '../tenants.ts';

/** What of a tenant decides how its tracker is called. */
export type Called = Pick<Tenant, 'id' | 'url' | 'secret' | 'forge'>;

/** A tenant's site, called with this token whatever is kept of it. */
export const calledWith = (
  id: string,
  { cloudId, gateway }: Pick<NonNullable<Called['forge']>, 'cloudId' | 'gateway'>,
  value: string,
): Called => ({
  ...{ id, url: gateway, secret: undefined },
  forge: { cloudId, gateway, token: { value, until: Number.POSITIVE_INFINITY }, permissions: undefined },
});

/** How a tracker is called: through the gateway with a token, or at the site with a signature of Connect's. */
export type Endpoint =
  | { kind: 'gateway'; url: string; token: string }
  | { kind: 'connect'; url: string; secret: string };

/** Milliseconds before its end from which on a token is not used: a call takes some time. */
const MARGIN = 30_000;

/** How this tenant's tracker is called as the app at a time; `undefined` where there is no way and calls wait. */
export function endpointOf({ url, secret, forge }: Called, now: number): Endpoint | undefined {
  if (forge?.token && forge.token.until - MARGIN > now) {
    return { kind: 'gateway', url: forge.gateway, token: forge.token.value };
  }
  return secret === undefined ? undefined : { kind: 'connect', url, secret };
}

/** An address that the tracker gave, as a browser can load it: those of the gateway need a token. */
export const browserAddress = ({ url, forge }: Called, address: string): string =>
  forge && address.startsWith(`${forge.gateway}/`) ? url + address.slice(forge.gateway.length) : address;
