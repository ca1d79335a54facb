import { sql } from 'kysely';
import type { EchoTable, Tx } from '../store/tables.ts';
import type { Place, Version } from './revisions.ts';

/** What stood in a storage, or may still arrive there. */
export interface Echo {
  /** By what it is known again. */
  mark: string;
  /** From which somebody may have started. */
  text: string | null;
}

/** By what a write of the property is known again. */
export const propertyMark = ({ epoch, seq, hash }: Pick<Version, 'epoch' | 'seq' | 'hash'>): string =>
  `${epoch} ${seq} ${hash}`;

/** Remembers that these may be read there from now on. */
export async function noteEchoes(
  tx: Tx,
  { tenant, issue }: Place,
  storage: EchoTable['storage'],
  echoes: readonly Echo[],
): Promise<void> {
  const values = new Map(echoes.map(echo => [echo.mark, { tenant, issue, storage, ...echo }]));
  if (values.size === 0) return;
  await tx
    .insertInto('echo')
    .values([...values.values()])
    .onConflict(conflict =>
      conflict.columns(['tenant', 'issue', 'storage', 'mark']).doUpdateSet({ seen: sql<Date>`now()` }),
    )
    .execute();
}

/** What is remembered of a storage and was there within so many minutes, newest first, at most so many. */
export function recentEchoes(
  tx: Tx,
  { tenant, issue }: Place,
  storage: EchoTable['storage'],
  { most, minutes }: { most: number; minutes: number },
): Promise<Echo[]> {
  return tx
    .selectFrom('echo')
    .select(['mark', 'text'])
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('storage', '=', storage)
    .where('seen', '>', sql<Date>`now() - ${minutes} * interval '1 minute'`)
    .orderBy('seen', 'desc')
    .limit(most)
    .execute();
}
