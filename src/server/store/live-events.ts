import { type CompiledQuery, sql } from 'kysely';
import * as z from 'zod';
import { statement } from './statement.ts';
import type { Tx } from './tables.ts';

/** What open panels and editors hear of. It bears no content: whoever hears it reads anew, under permissions of their own. */
export const liveEvent = z.discriminatedUnion('kind', [
  /** `by`: the accounts that changed it, where they are known; `to`: those that have items in it, or had until then. */
  z.object({
    kind: z.literal('checklist'),
    issue: z.string(),
    by: z.array(z.string()).optional(),
    to: z.array(z.string()).optional(),
  }),
  /** Somebody opened or closed an editor on a subject (`domain/subjects.ts`), or went to another row in it. */
  z.object({ kind: z.literal('presence'), issue: z.string() }),
  /** The issue may have moved, or be hidden from some who saw it: their rights are to be asked anew. */
  z.object({ kind: z.literal('access'), issue: z.string() }),
  z.object({ kind: z.literal('job'), job: z.string() }),
  z.object({ kind: z.literal('templates') }),
  z.object({ kind: z.literal('statuses') }),
  z.object({ kind: z.literal('settings') }),
  /** The tenant uninstalled the add-on: nobody may hear more. */
  z.object({ kind: z.literal('uninstalled') }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/** The channel that every process listens on. */
export const CHANNEL = 'checklist_live';

const notify = statement<{ payload: string }>((db, { payload }) => ({
  compile: () => sql`select pg_notify(${CHANNEL}, ${payload})`.compile(db),
}));

/** The statement that tells all processes, once its transaction is committed. */
export const publication = (tenant: string, event: LiveEvent): CompiledQuery<unknown> =>
  notify({ payload: JSON.stringify({ tenant, ...event }) });

/** Tells all processes, once the transaction is committed. */
export async function publish(tx: Tx, tenant: string, event: LiveEvent): Promise<void> {
  await tx.executeQuery(publication(tenant, event));
}
