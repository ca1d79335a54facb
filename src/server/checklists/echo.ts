import { type CompiledQuery, sql } from 'kysely';
import { builder } from '../store/statement.ts';
import type { EchoTable, Tx } from '../store/tables.ts';
import { isPlain, type Place, type Version } from './revisions.ts';

/** What somebody had written, and what he had started from, where that is known. */
export interface FoundText {
  text: string;
  base: string | null;
}

/** What stood in a storage, or may still arrive there. */
export interface Echo {
  /** By what it is known again. */
  mark: string;
  /** From which somebody may have started. */
  text: string;
  /** A write of ours of which it is not known whether it arrived; it may yet. */
  late?: boolean;
  /** Nobody has kept record of what came of it: it is known again for as long as that is so. */
  open?: boolean;
  /** What somebody had written that it took in. */
  found?: FoundText | null;
}

/** By what a write of the property is known again. */
export const propertyMark = ({ epoch, seq, hash }: Pick<Version, 'epoch' | 'seq' | 'hash'>): string =>
  `${epoch} ${seq} ${hash}`;
/** Whether the mark is such a one: what others wrote is known by its hash. */
export const isPropertyMark = (mark: string): boolean => mark.includes(' ');

/** Remembers that these may be read there from now on. */
export const noteEchoes = (
  { tenant, issue }: Place,
  storage: EchoTable['storage'],
  echoes: readonly Echo[],
): CompiledQuery<unknown>[] =>
  echoes.map(({ mark, text, late, open, found }) => {
    const took = { found: found?.text ?? null, found_base: found?.base ?? null };
    const seen = open ? forever : sql<Date>`now()`;
    return builder
      .insertInto('echo')
      .values({ tenant, issue, storage, mark, text, late: late ?? false, seen, ...took })
      .onConflict(conflict =>
        conflict
          .columns(['tenant', 'issue', 'storage', 'mark'])
          .doUpdateSet({ seen, ...(late !== undefined && { late, ...took }) }),
      )
      .compile();
  });

const forever = sql<Date>`'infinity'`;

/** There is a record now of what came of the writes of that storage. */
export const closeEchoes = ({ tenant, issue }: Place, storage: EchoTable['storage']): CompiledQuery<unknown> =>
  builder
    .updateTable('echo')
    .set({ seen: sql<Date>`now()` })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('storage', '=', storage)
    .where('seen', '=', forever)
    .compile();

const echoesOf = (tx: Tx, { tenant, issue }: Place, storage: EchoTable['storage']) =>
  tx.selectFrom('echo').where('tenant', '=', tenant).where('issue', '=', issue).where('storage', '=', storage);

/** Texts that stood in a storage, or may have, within so many minutes, newest first, at most so many. */
export async function recentEchoes(
  tx: Tx,
  place: Place,
  storage: EchoTable['storage'],
  { most, minutes }: { most: number; minutes: number },
): Promise<Pick<Echo, 'mark' | 'text'>[]> {
  const found = await echoesOf(tx, place, storage)
    .select(['mark', 'text'])
    .where('seen', '>', sql<Date>`now() - ${minutes} * interval '1 minute'`)
    .orderBy('seen', 'desc')
    .limit(most)
    .execute();
  return found.flatMap(({ mark, text }) => (text === null ? [] : { mark, text }));
}

/** Whether a text there is not what somebody wrote: a reading that lags behind, or a write of ours that came late. */
export async function isEcho(tx: Tx, place: Place, storage: EchoTable['storage'], mark: string): Promise<boolean> {
  const found = await echoesOf(tx, place, storage)
    .select('mark')
    .where('mark', '=', mark)
    .where('seen', '>', sql<Date>`now() - case when late then interval '10 minutes' else interval '10 seconds' end`)
    .executeTakeFirst();
  return found !== undefined;
}

/** The text of a write of the property that was given up, by its number. */
export async function givenUp(
  tx: Tx,
  place: Place,
  { epoch, seq }: Pick<Version, 'epoch' | 'seq'>,
): Promise<Echo | undefined> {
  if (!isPlain(epoch)) return undefined;
  const prefix = `${epoch} ${seq} `;
  const found = await echoesOf(tx, place, 'property')
    .select(['mark', 'text'])
    .where(sql<boolean>`starts_with(mark, ${prefix})`)
    .executeTakeFirst();
  return found && { mark: found.mark, text: found.text ?? '' };
}

/** What others had written that writes took in which were given up, and that is not history yet; oldest first. */
export async function pendingFound(tx: Tx, place: Place): Promise<FoundText[]> {
  const pending = await echoesOf(tx, place, 'property')
    .select(['found', 'found_base'])
    .where('found', 'is not', null)
    .orderBy('seen')
    .execute();
  return pending.flatMap(({ found, found_base: base }) => (found === null ? [] : { text: found, base }));
}

/** What others had written is history now, or was replaced by what is. */
export const takenIn = ({ tenant, issue }: Place): CompiledQuery<unknown> =>
  builder
    .updateTable('echo')
    .set({ found: null, found_base: null })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('found', 'is not', null)
    .compile();
