import type { CompiledQuery } from 'kysely';
import { statement } from '../store/statement.ts';
import type { Tx } from '../store/tables.ts';
import { closeEchoes, type Echo, noteEchoes } from './echo.ts';
import type { FieldText, Place } from './revisions.ts';
import type { Site } from './site.ts';

/** Milliseconds from a change to the field's writing: each write tells everybody who watches the issue. */
const DEBOUNCE = 2_000;

/** Has the field written, a little later. Where that is not heard, the record of what is behind remains. */
export function queueField({ queue, tenant, onError }: Site, issue: string): void {
  queue.add('write-field', { tenant: tenant.id, issue }, { after: DEBOUNCE, key: issue }).catch(onError);
}

/** Milliseconds after which an issue is looked at that somebody may have changed: a bulk change tells of each step. */
const LOOK = 1_000;

/** Has the issue looked at, a little later. */
export function queueLook({ queue, tenant, onError }: Site, issue: string): void {
  queue.add('look-at-issue', { tenant: tenant.id, issue }, { after: LOOK, key: issue }).catch(onError);
}

const marked = statement((db, { tenant, issue, behind }: Place & { behind: boolean }) =>
  db
    .insertInto('mirror')
    .values({ tenant, issue, behind })
    .onConflict(conflict => conflict.columns(['tenant', 'issue']).doUpdateSet({ behind })),
);
const tookIn = statement((db, values: Place & { behind: boolean; field: string; text: string }) => {
  const { tenant, issue, behind, field, text } = values;
  return db
    .insertInto('mirror')
    .values({ tenant, issue, behind, field, text })
    .onConflict(conflict => conflict.columns(['tenant', 'issue']).doUpdateSet({ behind, field, text }));
});

/**
 * The field is to be written, if there is to be one. `taken` is what it held, where that is part of the checklist now.
 * The record is there for every issue that we wrote and that is not gone.
 */
export function markBehind(site: Site, place: Place, taken: FieldText | null = null): CompiledQuery<unknown> {
  const behind = site.tenant.mirror !== 'none';
  return taken ? tookIn({ ...place, behind, field: taken.id, text: taken.text }) : marked({ ...place, behind });
}

/** What an attempt at the field came to: what it holds, and may yet be read there; or why it stays behind. */
export type Attempt = { held: FieldText; echoes: readonly Echo[] } | { notice: string | null };

/**
 * Keeps record of an attempt that was made for the version of that number; later versions are still to be written. To be
 * called at the end of an attempt only.
 */
export async function noteAttempt(
  tx: Tx,
  place: Place,
  { epoch, seq }: { epoch: string; seq: number },
  attempt: Attempt,
): Promise<void> {
  const { tenant, issue } = place;
  const row = tx.selectFrom('mirror').where('tenant', '=', tenant).where('issue', '=', issue);
  // First the row, so that a version that is committed meanwhile is seen below, or sets the mark again.
  await row.select('behind').forUpdate().execute();
  const latest = await tx
    .selectFrom('revision')
    .select(['epoch', 'seq'])
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .orderBy('created', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const behind = latest?.epoch !== epoch || latest.seq !== seq;
  const found = 'held' in attempt ? { field: attempt.held.id, text: attempt.held.text, notice: null } : attempt;
  await tx
    .updateTable('mirror')
    .set({ ...found, behind })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .execute();
  const echoes = 'held' in attempt ? attempt.echoes : [];
  for (const statement of [closeEchoes(place, 'field'), ...noteEchoes(place, 'field', echoes)]) {
    await tx.executeQuery(statement);
  }
}
