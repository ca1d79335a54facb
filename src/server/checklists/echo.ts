import { sql } from 'kysely';
import type { EchoTable, Tx } from '../store/tables.ts';
import type { Place, Version } from './revisions.ts';

/** Writes of ours that are no revisions' and may arrive, or be read, after others. */

/** By what a write of the property is known again. */
export const propertyMark = ({ epoch, seq, hash }: Pick<Version, 'epoch' | 'seq' | 'hash'>): string =>
  `${epoch} ${seq} ${hash}`;

/** Remembers that these may be read there from now on. */
export async function noteEchoes(
  tx: Tx,
  { tenant, issue }: Place,
  storage: EchoTable['storage'],
  marks: readonly string[],
): Promise<void> {
  await tx
    .insertInto('echo')
    .values([...new Set(marks)].map(mark => ({ tenant, issue, storage, mark })))
    .onConflict(conflict =>
      conflict.columns(['tenant', 'issue', 'storage', 'mark']).doUpdateSet({ seen: sql<Date>`now()` }),
    )
    .execute();
}

/** Which of these we wrote there, or knew there, within so many minutes. */
export async function echoesAmong(
  tx: Tx,
  { tenant, issue }: Place,
  storage: EchoTable['storage'],
  { marks, minutes }: { marks: readonly string[]; minutes: number },
): Promise<ReadonlySet<string>> {
  if (marks.length === 0) return new Set();
  const found = await tx
    .selectFrom('echo')
    .select('mark')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('storage', '=', storage)
    .where('mark', 'in', marks)
    .where('seen', '>', sql<Date>`now() - ${minutes} * interval '1 minute'`)
    .execute();
  return new Set(found.map(({ mark }) => mark));
}
