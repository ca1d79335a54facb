import * as z from 'zod';
import type { Tx } from '../store/tables.ts';
import type { Tracker } from '../tracker/client.ts';
import type { Place } from './revisions.ts';
import type { Site } from './site.ts';

/** Stands for whoever wrote behind our back where nobody can tell who it was. */
const UNKNOWN = 'tracker';

const accountShape = z.object({ accountId: z.string() });

/** The account that our own calls are made by; nothing when the tracker does not say. */
async function ownAccount(tracker: Tracker): Promise<string | undefined> {
  const { body } = await tracker({ name: 'readMyself', method: 'GET', path: '/rest/api/2/myself' });
  return accountShape.safeParse(body).data?.accountId;
}

/** Keeps that an account did something to an issue. */
export async function noteSighting(tx: Tx, { tenant, issue }: Place, account: string): Promise<void> {
  await tx
    .insertInto('sighting')
    .values({ tenant, issue, account })
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/** Whoever did something to the issue since this was asked last; asking forgets them. */
export async function takeSightings(tx: Tx, { tenant, issue }: Place): Promise<string[]> {
  const seen = await tx
    .deleteFrom('sighting')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .returning('account')
    .execute();
  return seen.map(({ account }) => account);
}

/** Who wrote behind our back: the one other than we who did something to the issue, if there is only one. */
export async function actorOf({ store, tenant, tracker }: Site, place: Place): Promise<string> {
  const seen = await store.tenant(tenant.id, tx => takeSightings(tx, place));
  if (seen.length === 0) return UNKNOWN;
  const own = await ownAccount(tracker).catch(() => undefined);
  const others = seen.filter(account => account !== own);
  const [actor] = others;
  return actor !== undefined && others.length === 1 ? actor : UNKNOWN;
}
