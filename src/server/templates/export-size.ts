import { sql } from 'kysely';
import { templates as messages } from '../../domain/messages.ts';
import { Refused } from '../errors/refused.ts';
import type { Tx } from '../store/tables.ts';

/** Most characters of texts in an exported file, which is made and sent in one step. An import reads far fewer. */
export const MOST_EXPORTED = 1_000_000;

/**
 * Throws `Refused` where the templates of some ids that a project may use, or without ids all of its own, are too much for
 * one file. `null` is the whole site.
 */
export async function requireExportable(
  tx: Tx,
  tenant: string,
  project: string | null,
  ids: readonly string[],
): Promise<void> {
  const { size } = await tx
    .selectFrom('template')
    .select(sql<number>`coalesce(sum(length(text)), 0)::float8`.as('size'))
    .where('tenant', '=', tenant)
    .where('deleted', 'is', null)
    .where(here => {
      const own = here('project', project === null ? 'is' : '=', project);
      return ids.length === 0 ? own : here.and([here.or([here('project', 'is', null), own]), here('id', 'in', ids)]);
    })
    .executeTakeFirstOrThrow();
  if (size > MOST_EXPORTED) throw new Refused('TOO_LARGE', messages.exportTooLarge(size, MOST_EXPORTED), 'ids');
}
