import * as v from 'valibot';
import type { HostBridge } from '../bridge/bridge.ts';
import { tokenPayload } from '../domain/token.ts';

/** Whose browser this is for now: what it keeps for one account is no other's. */
export interface Owner {
  tenant: string;
  account: string;
}

const shape = v.object({ iss: v.string(), sub: v.optional(v.string(), 'anonymous') });

/** Asked of the tracker, so that it is known while our server is away. Rejects when the tracker does not say. */
export async function ownerOf(bridge: HostBridge): Promise<Owner> {
  const { iss, sub } = v.parse(shape, tokenPayload(await bridge.token()));
  return { tenant: iss, account: sub };
}
