import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';

const usersShape = v.array(v.object({ accountId: v.string() }));

/** Most listed accounts. */
const MOST = 50;

/**
 * Lists accounts with a permission in a project that `asker`, an administrator of it, can see: the first ones, and whether
 * there are more.
 */
export async function findHolders(
  tracker: Tracker,
  asker: string,
  projectKey: string,
  permission: string,
): Promise<{ accounts: string[]; more: boolean }> {
  const call = {
    name: 'findHolders',
    method: 'GET',
    path: '/rest/api/3/user/permission/search',
    query: { permissions: permission, projectKey, maxResults: String(MOST + 1) },
  } as const;
  const own = await tracker({ ...call, asker });
  // The platform lets an app act for an administrator who is away with fewer scopes than this takes: then the app asks.
  const answer = own.status === 403 ? await tracker(call) : own;
  // Just after an installation the tracker does not know the app's permissions yet: then no account has them.
  if (answer.status === 400) return { accounts: [], more: false };
  if (answer.status !== 200) throw new TrackerRefused('findHolders', answer);
  const accounts = parseAs(usersShape, answer.body).map(({ accountId }) => accountId);
  return { accounts: accounts.slice(0, MOST), more: accounts.length > MOST };
}
