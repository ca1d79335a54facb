import { sql } from 'kysely';
import * as v from 'valibot';
import { statusColors } from '../../domain/colors.ts';
import { parseAs } from '../../domain/shape.ts';
import { builtInStatuses } from '../../domain/statuses.ts';
import type { Tx } from '../store/tables.ts';
import type { ManagedStatus } from './types.ts';

/** A stored status with its position, and the target of its items. */
export interface StoredStatus extends ManagedStatus {
  position: number;
  /** Slug of the status that its items get during its removal. */
  movesTo: string | null;
}

const builtIn = new Set<string>(builtInStatuses.map(({ slug }) => slug));
export const isBuiltInSlug = (slug: string): boolean => builtIn.has(slug);

// A status with unreadable values is read without its color or former names: without it no text would be.
const colorShape = v.fallback(v.picklist(statusColors), 'gray');
const namesShape = v.fallback(v.array(v.string()), []);

/** All statuses of a tenant, in order; built-in ones only if they were changed or moved. */
export async function loadStatuses(tx: Tx, tenant: string): Promise<StoredStatus[]> {
  const rows = await tx
    .selectFrom('status')
    .selectAll()
    .where('tenant', '=', tenant)
    .orderBy('position')
    .orderBy('slug')
    .execute();
  return rows.map(({ slug, project, name, color, checked, position, former, moves_to }) => ({
    ...{ slug, project, name, checked, position, movesTo: moves_to },
    color: parseAs(colorShape, color),
    former: parseAs(namesShape, former),
    going: moves_to !== null,
    builtIn: isBuiltInSlug(slug),
  }));
}

/** The statuses that items of those under removal get, by slug. */
export const movesOf = (stored: readonly StoredStatus[]): Map<string, string> =>
  new Map(stored.flatMap(({ slug, movesTo }) => (movesTo === null ? [] : [[slug, movesTo] as const])));

/** Adds or replaces statuses. */
export async function putStatuses(tx: Tx, tenant: string, statuses: readonly StoredStatus[]): Promise<void> {
  if (statuses.length === 0) return;
  await tx
    .insertInto('status')
    .values(
      statuses.map(({ slug, project, name, color, checked, position, former, movesTo }) => ({
        ...{ tenant, slug, project, name, color, checked, position, moves_to: movesTo },
        former: JSON.stringify(former),
      })),
    )
    .onConflict(conflict =>
      conflict.columns(['tenant', 'slug']).doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        color: ref('excluded.color'),
        checked: ref('excluded.checked'),
        position: ref('excluded.position'),
        former: sql<string>`excluded.former`,
        moves_to: ref('excluded.moves_to'),
      })),
    )
    .execute();
}

/** Locks the tenant's statuses until the end of the transaction, increases their version and loads them. */
export async function lockStatuses(tx: Tx, tenant: string): Promise<StoredStatus[]> {
  await tx
    .updateTable('tenant')
    .set({ status_version: sql<number>`status_version + 1` })
    .where('tenant', '=', tenant)
    .execute();
  return loadStatuses(tx, tenant);
}

/** Changes the target of statuses under removal from one status to another. */
export async function redirectMoves(tx: Tx, tenant: string, from: string, to: string): Promise<void> {
  await tx
    .updateTable('status')
    .set({ moves_to: to })
    .where('tenant', '=', tenant)
    .where('moves_to', '=', from)
    .execute();
}

/** Deletes statuses without items. */
export async function dropStatuses(tx: Tx, tenant: string, slugs: readonly string[]): Promise<void> {
  if (slugs.length === 0) return;
  await tx.deleteFrom('status').where('tenant', '=', tenant).where('slug', 'in', slugs).execute();
  await tx.deleteFrom('status_use').where('tenant', '=', tenant).where('slug', 'in', slugs).execute();
}

/** Counts the items with a status, and their issues. */
export async function countUse(tx: Tx, tenant: string, slug: string): Promise<{ items: number; issues: number }> {
  const { items, issues } = await tx
    .selectFrom('status_use')
    .select([sql<number>`coalesce(sum(items), 0)::int`.as('items'), sql<number>`count(*)::int`.as('issues')])
    .where('tenant', '=', tenant)
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  return { items, issues };
}
