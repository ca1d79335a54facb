import * as z from 'zod';
import type { Tenant } from '../connect/tenants.ts';
import { type Tracker, TrackerUnavailable } from '../tracker/client.ts';

const shape = z.object({ accountId: z.string() });

/** Most installations whose account is remembered. */
const MOST = 10_000;

/** The account that our own calls are made by. Rejects with `TrackerUnavailable` where the tracker does not say. */
export function createOwnAccounts(): (tenant: Pick<Tenant, 'id' | 'epoch'>, tracker: Tracker) => Promise<string> {
  const known = new Map<string, string>();
  return async ({ id, epoch }, tracker) => {
    const key = JSON.stringify([id, epoch]);
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const { status, body } = await tracker({ name: 'readMyself', method: 'GET', path: '/rest/api/2/myself' });
    const account = shape.safeParse(body).data?.accountId;
    if (account === undefined) throw new TrackerUnavailable(`readMyself: ${status}`);
    if (known.size >= MOST) known.clear();
    known.set(key, account);
    return account;
  };
}
