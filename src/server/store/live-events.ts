import { type CompiledQuery, sql } from 'kysely';
import * as v from 'valibot';
import { statement } from './statement.ts';
import type { Tx } from './tables.ts';

/** Event for open panels and editors. Holds no content: subscribers reload, under their own permissions. */
export const liveEvent = v.variant('kind', [
  /**
   * `by`: accounts that changed it, if known; `to`: accounts with assigned items in it, before or after; `epoch` and
   * `seq`: the newest revision; without them, a copy in the tracker began or ceased to be refused.
   */
  v.object({
    kind: v.literal('checklist'),
    issue: v.string(),
    by: v.optional(v.array(v.string())),
    to: v.optional(v.array(v.string())),
    epoch: v.optional(v.string()),
    seq: v.optional(v.number()),
  }),
  /** A user opened or closed an editor on a subject (`domain/subjects.ts`), or moved to another row. */
  v.object({ kind: v.literal('presence'), issue: v.string(), by: v.optional(v.array(v.string())) }),
  /** The status of the issue has changed. */
  v.object({ kind: v.literal('status'), issue: v.string() }),
  /** The issue may have moved or been hidden from some users: cached permissions are stale. */
  v.object({ kind: v.literal('access'), issue: v.string() }),
  v.object({ kind: v.literal('job'), job: v.string() }),
  v.object({ kind: v.literal('templates') }),
  v.object({ kind: v.literal('statuses') }),
  v.object({ kind: v.literal('settings') }),
  /** An administrator edited a workflow rule: cached answers about the rules lapse soon. For processes, not for browsers. */
  v.object({ kind: v.literal('workflowRules') }),
  /** The tenant uninstalled the app: all its subscriptions end. */
  v.object({ kind: v.literal('uninstalled') }),
]);
export type LiveEvent = v.InferOutput<typeof liveEvent>;

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
