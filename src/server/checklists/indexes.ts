import type { CompiledQuery } from 'kysely';
import type { StatusRegistry } from '../../text/statuses.ts';
import { indexAssigned } from './assigned.ts';
import { readText } from './reading.ts';
import type { Place, Version } from './revisions.ts';
import { countStatuses } from './status-use.ts';

/** What is looked up by items: assigned ones, and statuses of a site's own. */
export function indexRows(
  place: Place,
  { text, rows: ids }: Version,
  { project, statuses }: { project: string | undefined; statuses: StatusRegistry },
): CompiledQuery<unknown>[] {
  const { rows } = readText(text, statuses);
  return [...indexAssigned(place, project, rows, ids), ...countStatuses(place, rows, statuses)];
}
