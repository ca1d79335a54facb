import { type CompiledQuery, sql } from 'kysely';
import * as z from 'zod';
import { statement } from './statement.ts';
import type { Tx } from './tables.ts';

/** Event for open panels and editors. Holds no content: subscribers reload, under their own permissions. */
export const liveEvent = z.discriminatedUnion('kind', [
  /** `by`: accounts that changed it, where known; `to`: accounts with assigned items in it, before or after. */
  z.object({
    kind: z.literal('checklist'),
    issue: z.string(),
    by: z.array(z.string()).optional(),
    to: z.array(z.string()).optional(),
  }),
  /** A user opened or closed an editor on a subject (`domain/subjects.ts`), or moved to another row. */
  z.object({ kind: z.literal('presence'), issue: z.string() }),
  /** The issue may have moved or been hidden from some users: cached permissions are stale. */
  z.object({ kind: z.literal('access'), issue: z.string() }),
  z.object({ kind: z.literal('job'), job: z.string() }),
  z.object({ kind: z.literal('templates') }),
  z.object({ kind: z.literal('statuses') }),
  z.object({ kind: z.literal('settings') }),
  /** The tenant uninstalled the app: all its subscriptions end. */
  z.object({ kind: z.literal('uninstalled') }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/** The channel that every process listens on. */
export const CHANNEL = 'checklist_live';

const notify = statement<{ payload: string }>((db, { payload }) => ({
  compile: () => sql`select pg_notify(${CHANNEL}, ${payload})`.compile(db),
}));

/** The statement that publishes an event to all processes, once its transaction commits. */
export const publication = (tenant: string, event: LiveEvent): CompiledQuery<unknown> =>
  notify({ payload: JSON.stringify({ tenant, ...event }) });

/** Publishes an event to all processes, once the transaction commits. */
export async function publish(tx: Tx, tenant: string, event: LiveEvent): Promise<void> {
  await tx.executeQuery(publication(tenant, event));
}
