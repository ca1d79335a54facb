import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';

const usersShape = v.array(v.object({ accountId: v.string() }));

const MAX_ACCOUNTS = 50;
/** The tracker looks for holders of a permission among the first accounts of a site only. */
export const MAX_SEARCHED_ACCOUNTS = 1_000;

/**
 * Lists accounts with a permission in a project that `asker`, an administrator of it, can see, among the first
 * `MAX_SEARCHED_ACCOUNTS` of the site: the first ones, and whether there are more. `undefined` if the tracker does not say:
 * just after an installation it does not know the app's permissions, and it may deny the search to the app.
 */
export async function findHolders(
  tracker: Tracker,
  asker: string,
  projectKey: string,
  permission: string,
): Promise<{ accounts: string[]; more: boolean } | undefined> {
  const call = {
    name: 'findHolders',
    method: 'GET',
    path: '/rest/api/3/user/permission/search',
    // The tracker picks the accounts of the page first, and checks their permissions afterwards.
    query: { permissions: permission, projectKey, query: '', maxResults: String(MAX_SEARCHED_ACCOUNTS) },
  } as const;
  const askerAnswer = await tracker({ ...call, asker });
  // The platform lets an app act for an administrator who is away with fewer scopes than this takes: then the app asks.
  const answer = askerAnswer.status === 403 ? await tracker(call) : askerAnswer;
  if (answer.status === 400 || answer.status === 403) return undefined;
  if (answer.status !== 200) throw new TrackerRefused('findHolders', answer);
  const accounts = parseAs(usersShape, answer.body).map(({ accountId }) => accountId);
  return { accounts: accounts.slice(0, MAX_ACCOUNTS), more: accounts.length > MAX_ACCOUNTS };
}
