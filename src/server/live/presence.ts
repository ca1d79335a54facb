import { sql } from 'kysely';
import { publish } from '../store/live-events.ts';
import type { Store } from '../store/store.ts';

/** Who has an editor open, across processes. Rows last a little longer than the stream that prolongs them. */
export interface Presence {
  /** The stream's editors are open from now on, until `leave`. */
  enter(stream: Editing): Promise<void>;
  prolong(stream: Editing): Promise<void>;
  leave(stream: Editing): Promise<void>;
  /** Somebody's editor is at a row now; those who watch are told if it is another one. */
  move(tenant: string, account: string, subject: string, place: EditorPosition): Promise<void>;
  /** Those who have an editor open on it, each once, the first to come first. */
  editors(tenant: string, subject: string): Promise<Editor[]>;
}

/** A row of the stored text: its index, and a short hash of it for those who have another version. */
export interface EditorPosition {
  row: number;
  mark: string;
}

export interface Editor {
  account: string;
  /** Where; missing until the editor has said so. */
  place: EditorPosition | undefined;
}

/** The editors that one stream stands for. */
export interface Editing {
  tenant: string;
  account: string;
  /** Of the stream, made up by the server. */
  stream: string;
  /** What they are open on (`domain/subjects.ts`). */
  subjects: readonly string[];
}

/** Longer than two pings (stream.ts). */
const LIFE = sql<Date>`now() + interval '50 seconds'`;

export function createPresence(store: Store): Presence {
  return {
    enter: ({ tenant, account, stream, subjects }) =>
      store.tenant(tenant, async tx => {
        const rows = subjects.map(issue => ({ tenant, issue, stream, account, expires: LIFE }));
        await tx.insertInto('presence').values(rows).execute();
        for (const issue of subjects) await publish(tx, tenant, { kind: 'presence', issue });
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
    leave: ({ tenant, stream, subjects }) =>
      store.tenant(tenant, async tx => {
        // Along with what a process left behind that was killed.
        await tx
          .deleteFrom('presence')
          .where('tenant', '=', tenant)
          .where(({ eb, or }) => or([eb('stream', '=', stream), eb('expires', '<', sql<Date>`now()`)]))
          .execute();
        // Whoever has gone is nowhere, on whatever subject, and comes back without a place.
        await tx
          .deleteFrom('presence_place')
          .where('tenant', '=', tenant)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('presence')
                  .select('stream')
                  .whereRef('presence.tenant', '=', 'presence_place.tenant')
                  .whereRef('presence.issue', '=', 'presence_place.issue')
                  .whereRef('presence.account', '=', 'presence_place.account'),
              ),
            ),
          )
          .execute();
        for (const issue of subjects) await publish(tx, tenant, { kind: 'presence', issue });
      }),
    move: (tenant, account, issue, { row, mark }) =>
      store.tenant(tenant, async tx => {
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('presence_place')
          .values({ tenant, issue, account, row, mark })
          .onConflict(conflict =>
            conflict
              .columns(['tenant', 'issue', 'account'])
              .doUpdateSet({ row, mark })
              .where(({ eb, or }) => or([eb('presence_place.row', '!=', row), eb('presence_place.mark', '!=', mark)])),
          )
          .executeTakeFirstOrThrow();
        // Whoever is where he was wakes nobody.
        if (numInsertedOrUpdatedRows) await publish(tx, tenant, { kind: 'presence', issue });
      }),
    editors: (tenant, issue) =>
      store.tenant(tenant, async tx => {
        const rows = await tx
          .selectFrom('presence')
          .leftJoin('presence_place as place', join =>
            join
              .onRef('place.tenant', '=', 'presence.tenant')
              .onRef('place.issue', '=', 'presence.issue')
              .onRef('place.account', '=', 'presence.account'),
          )
          .select(['presence.account', 'place.row', 'place.mark'])
          .where('presence.tenant', '=', tenant)
          .where('presence.issue', '=', issue)
          .where('presence.expires', '>=', sql<Date>`now()`)
          .orderBy('presence.entered')
          .execute();
        const editors = new Map<string, Editor>();
        for (const { account, row, mark } of rows) {
          if (!editors.has(account)) {
            editors.set(account, { account, place: row === null || mark === null ? undefined : { row, mark } });
          }
        }
        return [...editors.values()];
      }),
  };
}
