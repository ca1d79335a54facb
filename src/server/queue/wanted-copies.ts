import { sql } from 'kysely';
import type { Tx } from '../store/tables.ts';
import type { Queue } from './queue.ts';

/** Keeps the copies of statuses and templates in projects wanted. */
export interface WantedCopies {
  /** Makes a site's copies due, in the transaction of a change; after the commit, call `wake`. */
  want(tx: Tx, tenant: string): Promise<void>;
  wake(): void;
}

/** Raises the version of statuses and templates that a site's projects should hold, in the transaction of a change. */
export async function raiseWantedCopies(tx: Tx, tenant: string): Promise<void> {
  await tx
    .updateTable('tenant')
    .set({ copies_wanted: sql<number>`copies_wanted + 1` })
    .where('tenant', '=', tenant)
    .execute();
}

export const wantedCopies = (queue: Pick<Queue, 'enqueue' | 'wake'>): WantedCopies => ({
  async want(tx, tenant) {
    await raiseWantedCopies(tx, tenant);
    await tx.executeQuery(queue.enqueue('mirror', { tenant }, { after: 0, key: 'mirror' }));
  },
  wake: () => queue.wake(),
});

/**
 * Makes a site's copies in projects be compared again: a project that was hidden from the app may lack a version, and others
 * may change its properties.
 */
export async function forgetCompared(tx: Tx, tenant: string): Promise<void> {
  await tx.updateTable('tenant').set({ copies_watch: null }).where('tenant', '=', tenant).execute();
}
