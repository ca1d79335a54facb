import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import { announce } from './announce.ts';

/** Who has an editor open, across processes. Rows last a little longer than the stream that prolongs them. */
export interface Presence {
  /** The stream's editors are open from now on, until `leave`. */
  enter(stream: Editing): Promise<void>;
  prolong(stream: Editing): Promise<void>;
  leave(stream: Editing): Promise<void>;
  /** Account ids of those who have an editor open on the issue, each once, the first to come first. */
  editors(tenant: string, issue: string): Promise<string[]>;
}

/** The editors that one stream stands for. */
export interface Editing {
  tenant: string;
  account: string;
  /** Of the stream, made up by the server. */
  stream: string;
  issues: readonly string[];
}

/** Longer than two pings (stream.ts). */
const LIFE = sql<Date>`now() + interval '50 seconds'`;

export function createPresence(store: Store): Presence {
  return {
    enter: ({ tenant, account, stream, issues }) =>
      store.tenant(tenant, async tx => {
        const rows = issues.map(issue => ({ tenant, issue, stream, account, expires: LIFE }));
        await tx.insertInto('presence').values(rows).execute();
        for (const issue of issues) await announce(tx, tenant, { kind: 'presence', issue });
      }),
    prolong: ({ tenant, stream }) =>
      store.tenant(tenant, async tx => {
        await tx
          .updateTable('presence')
          .set({ expires: LIFE })
          .where('tenant', '=', tenant)
          .where('stream', '=', stream)
          .execute();
      }),
    leave: ({ tenant, stream, issues }) =>
      store.tenant(tenant, async tx => {
        // Along with what a process left behind that was killed.
        await tx
          .deleteFrom('presence')
          .where('tenant', '=', tenant)
          .where(({ eb, or }) => or([eb('stream', '=', stream), eb('expires', '<', sql<Date>`now()`)]))
          .execute();
        for (const issue of issues) await announce(tx, tenant, { kind: 'presence', issue });
      }),
    editors: (tenant, issue) =>
      store.tenant(tenant, async tx => {
        const rows = await tx
          .selectFrom('presence')
          .select('account')
          .where('tenant', '=', tenant)
          .where('issue', '=', issue)
          .where('expires', '>=', sql<Date>`now()`)
          .orderBy('entered')
          .execute();
        return [...new Set(rows.map(({ account }) => account))];
      }),
  };
}
