import * as v from 'valibot';
import { FORMER_USER } from '../../../domain/person.ts';
import { parseAs } from '../../../domain/shape.ts';
import { TrackerRefused, TrackerUnavailable } from '../../errors/tracker.ts';
import { createCache } from '../../store/cached.ts';
import type { Tracker } from './client.ts';

const namesShape = v.object({ values: v.array(v.object({ accountId: v.string(), displayName: v.string() })) });

/** Reads names by account, in one call. Deleted accounts, hidden names and accounts that the site does not know are left out. */
async function readNames(tracker: Tracker, accounts: readonly string[]): Promise<Map<string, string>> {
  const answer = await tracker({
    name: 'readNames',
    method: 'GET',
    path: '/rest/api/3/user/bulk',
    // Without a number the tracker returns ten.
    query: { accountId: accounts, maxResults: String(accounts.length) },
  });
  if (answer.status !== 200) throw new TrackerRefused('readNames', answer);
  const names = new Map<string, string>();
  for (const { accountId, displayName } of parseAs(namesShape, answer.body).values) {
    const name = displayName.replace(/\s+/g, ' ').trim();
    if (name !== '' && name !== FORMER_USER) names.set(accountId, name);
  }
  return names;
}

/** Names of people of a tenant, by account. Names that cannot be read are left out. */
export type NamesOf = (
  tenant: string,
  tracker: Tracker,
  accounts: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

const MAX_CACHED_NAMES = 50_000;
/** The platform asks apps to keep no personal data for longer without a reason. */
const NAME_CACHE_MS = 24 * 60 * 60_000;

/** Remembers names for a day, in memory only; also that there is none, or that the tracker refuses to say. */
export function createNames(): NamesOf {
  const names = createCache<string>(MAX_CACHED_NAMES, NAME_CACHE_MS);
  const keyOf = (tenant: string, account: string) => JSON.stringify([tenant, account]);
  return async (tenant, tracker, accounts) => {
    const unread = accounts.filter(account => !names.has(keyOf(tenant, account)));
    if (unread.length > 0) {
      // An e-mail without names is better than none.
      const loadedNames = await readNames(tracker, unread).catch(error => {
        if (error instanceof TrackerRefused) return new Map<string, string>();
        if (error instanceof TrackerUnavailable) return undefined;
        throw error;
      });
      if (loadedNames) for (const account of unread) names.set(keyOf(tenant, account), loadedNames.get(account) ?? '');
    }
    return new Map(
      accounts.flatMap(account => {
        const name = names.get(keyOf(tenant, account));
        return name ? [[account, name] as const] : [];
      }),
    );
  };
}
