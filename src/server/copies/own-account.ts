import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';
import { TrackerUnavailable } from '../errors/tracker.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { type CallTarget, endpointOf } from '../platform/tracker/endpoint.ts';
import { cached } from '../store/cached.ts';

const shape = v.object({ accountId: v.string() });

const MAX_INSTALLATIONS = 10_000;

type Installation = Pick<Tenant, 'epoch'> & CallTarget;

/** The accounts of the app's own calls. */
export interface OwnAccounts {
  /** Loads an account that is not cached from the tracker. Rejects with `TrackerUnavailable` without an answer. */
  of(tenant: Installation, tracker: Tracker): Promise<string>;
  /** Whether the account is the app's; `undefined` while the app's is not cached. */
  isOwn(tenant: Installation, account: string): boolean | undefined;
}

export function createOwnAccounts(now: () => number = Date.now): OwnAccounts {
  const accounts = cached<string>({ max: MAX_INSTALLATIONS, ttl: () => Number.POSITIVE_INFINITY });
  type Kind = NonNullable<ReturnType<typeof endpointOf>>['kind'];
  const keyOf = ({ id, epoch }: Installation, kind: Kind) => JSON.stringify([id, epoch, kind]);
  async function read(tracker: Tracker): Promise<string> {
    const { status, body } = await tracker({ name: 'readMyself', method: 'GET', path: '/rest/api/2/myself' });
    const account = readAs(shape, body)?.accountId;
    if (account === undefined) throw new TrackerUnavailable(`readMyself: ${status}`);
    return account;
  }
  return {
    // Connect and Forge may use different accounts.
    of: (tenant, tracker) =>
      accounts.get(keyOf(tenant, endpointOf(tenant, now())?.kind ?? 'connect'), () => read(tracker)),
    isOwn(tenant, account) {
      const ownAccounts = (['connect', 'gateway'] as const).flatMap(kind => accounts.peek(keyOf(tenant, kind)) ?? []);
      return ownAccounts.length > 0 ? ownAccounts.includes(account) : undefined;
    },
  };
}
