import { sql } from 'kysely';
import { storage } from '../../../domain/messages.ts';
import { statement } from '../../store/statement.ts';
import { hashText } from '../../text-workers/hash.ts';
import { loadAdopted } from '../commit/adopt.ts';
import { currentOf } from '../decide/state.ts';
import type { Site } from '../service/site.ts';
import type { ChangeBase, ChecklistReading } from '../service/types.ts';
import { history, isPlain, type TenantIssue } from './revisions.ts';

/** The checklist as stored in the database, after adopting an unknown issue. */
export async function loadReading(site: Site, issueId: string): Promise<ChecklistReading> {
  const state = await loadAdopted(site, { tenant: site.tenant.id, issue: issueId });
  const { epoch, seq, hash, name, text, rows: rowIds } = currentOf(state);
  const notice = state.copies?.notice;
  const source = state.checklist?.source ?? 'NONE';
  const { conflictSeq } = state;
  const view = { issueId, epoch, seq, hash, name, text, source, rowIds, conflictSeq, notices: notice ? [notice] : [] };
  const copyNotice = state.copies?.refused ?? (state.copies?.isOverdue ? storage.copyPending : undefined);
  return copyNotice === undefined ? view : { ...view, copyNotice };
}

/** An issue with a reported difference is read after this delay, and again after this pause at the earliest. */
const READ_DELAY_MS = 1_000;
const READ_PAUSE_SECONDS = 10;

const hint = statement<TenantIssue & Pick<ChangeBase, 'epoch' | 'seq' | 'hash'>>(
  (db, { tenant, issue, epoch, seq, hash }) => {
    const knownRevisions = history(db, { tenant, issue })
      .select('revision.seq')
      .where('hash', '=', hash)
      .where(({ eb, or, and }) =>
        or([
          and([eb('revision.epoch', '=', epoch), eb('revision.seq', '=', seq)]),
          sql<boolean>`(revision.epoch, revision.seq) in (
          select epoch, seq from checklist where tenant = ${tenant} and issue = ${issue})`,
        ]),
      );
    return db
      .updateTable('sync')
      .set({ hints: sql<number>`hints + 1` })
      .where('tenant', '=', tenant)
      .where('issue', '=', issue)
      .where(({ not, exists }) => not(exists(knownRevisions)))
      .where(sql<boolean>`coalesce(read_at < now() - make_interval(secs => ${sql.lit(READ_PAUSE_SECONDS)}), true)`)
      .returning('hints');
  },
);

/** Enqueues a read of the issue unless the reported property is a revision or equals the newest one. */
export async function noteDifference(
  { store, tenant, queue }: Site,
  issue: string,
  { epoch, seq, hash }: Pick<ChangeBase, 'epoch' | 'seq' | 'hash'>,
): Promise<void> {
  if (!isPlain(epoch || '-') || !isPlain(hash)) return;
  const place = { tenant: tenant.id, issue };
  const [hinted] = await store.batch(tenant.id, [hint({ ...place, epoch, seq, hash })]);
  if (hinted.rows.length > 0) await queue.add('sync', place, { after: READ_DELAY_MS, key: issue });
}

const written = statement<TenantIssue, { field_text: string | null }>((db, { tenant, issue }) =>
  db.selectFrom('sync').select('field_text').where('tenant', '=', tenant).where('issue', '=', issue),
);

/** Enqueues a read of the issue unless the reported field's hash is that of the confirmed text or of the newest revision. */
export async function noteFieldDifference(site: Site, issue: string, hash: string): Promise<void> {
  const [known] = await site.store.batch(site.tenant.id, [written({ tenant: site.tenant.id, issue })]);
  const text = known.rows[0]?.field_text ?? undefined;
  if (text === undefined || hashText(text) !== hash) await noteDifference(site, issue, { epoch: '', seq: 0, hash });
}
