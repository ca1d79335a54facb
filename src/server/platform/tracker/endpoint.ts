import type { Tenant } from '../tenants.ts';

/** The parts of a tenant for calls to its tracker. */
export type CallTarget = Pick<Tenant, 'id' | 'url' | 'secret' | 'forge'>;

/** A tenant's site, for calls with this token. */
export const callTargetWith = (
  id: string,
  { cloudId, gateway }: Pick<NonNullable<CallTarget['forge']>, 'cloudId' | 'gateway'>,
  value: string,
): CallTarget => ({
  ...{ id, url: gateway, secret: undefined },
  forge: { cloudId, gateway, token: { value, until: Number.POSITIVE_INFINITY }, permissions: undefined },
});

/** How a tracker is called: over the gateway with a token, or at the site with a signature of Connect. */
export type Endpoint =
  | { kind: 'gateway'; url: string; token: string }
  | { kind: 'connect'; url: string; secret: string };

/** A token is not used this shortly before its expiry, as a call takes some time. */
const EXPIRY_MARGIN_MS = 30_000;

/** The endpoint for calls as the app; `undefined` if there is none now. */
export function endpointOf({ url, secret, forge }: CallTarget, now: number): Endpoint | undefined {
  if (forge?.token && forge.token.until - EXPIRY_MARGIN_MS > now) {
    return { kind: 'gateway', url: forge.gateway, token: forge.token.value };
  }
  return secret === undefined ? undefined : { kind: 'connect', url, secret };
}

/** Converts a URL of the gateway, which needs a token, to one of the site, which a browser can load. */
export const browserAddress = ({ url, forge }: CallTarget, address: string): string =>
  forge && address.startsWith(`${forge.gateway}/`) ? url + address.slice(forge.gateway.length) : address;

/** The platform's own API at a gateway to products: `https://api.atlassian.com/ex/jira/ID` has it at its root. */
export const platformOf = (gateway: string): string => gateway.replace(/\/ex\/.*$/, '');
