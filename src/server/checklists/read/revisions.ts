import { type CompiledQuery, type Kysely, sql } from 'kysely';
import * as v from 'valibot';
import { ruleAccount } from '../../../domain/person.ts';
import { parseAs } from '../../../domain/shape.ts';
import { statement } from '../../store/statement.ts';
import type { Tables, Tx } from '../../store/tables.ts';
import { noteTemplateUses } from '../../templates/uses.ts';
import { linesOf } from '../decide/nearest-base.ts';
import { type Revision, type Version, versionShape } from '../decide/state.ts';

/** An issue of a tenant. */
export interface TenantIssue {
  tenant: string;
  issue: string;
}

/** A text field and its value. */
export interface FieldText {
  id: string;
  text: string;
}

export const VERSION_COLUMNS = ['epoch', 'seq', 'hash', 'name', 'text', 'rows'] as const;
export const REVISION_COLUMNS = [...VERSION_COLUMNS, 'account', 'client', 'kind', 'conflicts'] as const;

/** The issue's history. */
export const history = (db: Kysely<Tables>, { tenant, issue }: TenantIssue) =>
  db.selectFrom('revision').where('tenant', '=', tenant).where('issue', '=', issue);

/**
 * Whether the app's property is written to the issue, or due. It is not if a checklist of another app or edition is
 * shown, or one without room in the property.
 */
export const isMirrored = async (tx: Tx, { tenant, issue }: TenantIssue): Promise<boolean> => {
  const row = await tx
    .selectFrom('checklist')
    .select('mirrored')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .executeTakeFirst();
  return row?.mirrored === true;
};

/** Revisions that overwrote values of concurrent changes, by the index `revision_conflicts`. */
export const hasConflicts = sql<boolean>`conflicts <> '[]'::jsonb`;

/** Checklists, each with its newest revision, if it has one. */
export const withNewest = (db: Kysely<Tables>) =>
  db
    .selectFrom('checklist')
    .leftJoin('revision', join =>
      join
        .onRef('revision.tenant', '=', 'checklist.tenant')
        .onRef('revision.issue', '=', 'checklist.issue')
        .onRef('revision.epoch', '=', 'checklist.epoch')
        .onRef('revision.seq', '=', 'checklist.seq'),
    );

const newest = (tx: Tx, { tenant, issue }: TenantIssue) =>
  withNewest(tx).where('checklist.tenant', '=', tenant).where('checklist.issue', '=', issue);

/** The text of the newest revision, `undefined` if the database does not know the issue. */
export async function newestText(tx: Tx, place: TenantIssue): Promise<string | undefined> {
  const row = await newest(tx, place).select('revision.text').executeTakeFirst();
  return row && (row.text ?? '');
}

/** The author of the newest revision; `null` if there is none, or if it is a rule of the site. */
export async function newestAuthor(tx: Tx, place: TenantIssue): Promise<string | null> {
  const row = await newest(tx, place).select('revision.account').executeTakeFirst();
  return row?.account && !row.account.startsWith(ruleAccount('')) ? row.account : null;
}

/** The traces of the previous edition's checklist in an issue's history. */
export interface PredecessorHistory {
  mirrored: boolean;
  /** Whether that checklist was adopted. */
  inherited: boolean;
}

export async function pastOf(tx: Tx, place: TenantIssue): Promise<PredecessorHistory> {
  const inherited = history(tx, place).select('seq').where('kind', '=', 'inherited').limit(1).executeTakeFirst();
  return { mirrored: await isMirrored(tx, place), inherited: (await inherited) !== undefined };
}

/** The revisions, newest first. */
export const newestFirst = (db: Kysely<Tables>, place: TenantIssue) =>
  history(db, place).select(VERSION_COLUMNS).orderBy('created', 'desc').orderBy('seq', 'desc');

/** Whether an epoch or hash is safe as a query parameter; the app's own are hexadecimal. */
export const isPlain = (mark: string): boolean => /^[\x21-\x7e]{1,64}$/.test(mark);

/** The revision at a position. */
export async function versionAt(
  tx: Tx,
  place: TenantIssue,
  { epoch, seq }: Pick<Version, 'epoch' | 'seq'>,
): Promise<Version | undefined> {
  if (!isPlain(epoch)) return undefined;
  const row = await history(tx, place)
    .select(VERSION_COLUMNS)
    .where('epoch', '=', epoch)
    .where('seq', '=', seq)
    .executeTakeFirst();
  return row && parseAs(versionShape, row);
}

/** If the time is unknown, only the latest revisions are searched. */
export const MAX_SEARCHED_REVISIONS = 200;

/** The latest revisions, newest first, at most `most`. */
export const recentVersions = async (tx: Tx, place: TenantIssue, most: number): Promise<Version[]> =>
  parseAs(v.array(versionShape), await newestFirst(tx, place).limit(most).execute());

/**
 * Of the revisions up to one that the tracker held, the one with the most of a text's lines, the newest of several: however
 * long ago, the text's author may have read it. `undefined` if none has any. Reads all revisions of the issue that
 * retention has left.
 */
export async function explainingVersion(
  tx: Tx,
  place: TenantIssue,
  text: string,
  { epoch, seq }: Pick<Version, 'epoch' | 'seq'>,
): Promise<Version | undefined> {
  const lines = [...new Set(linesOf(text))];
  const explained = sql<number>`(
    select count(distinct line) from unnest(string_to_array(text, E'\\n')) stored(stored_line)
    cross join lateral rtrim(stored_line, E' \\t\\r') line where line = any(${lines}::text[])
  )`;
  const row = await history(tx, place)
    .select(VERSION_COLUMNS)
    .where(explained, '>', 0)
    .where('created', '<=', history(tx, place).select('created').where('epoch', '=', epoch).where('seq', '=', seq))
    .orderBy(explained, 'desc')
    .orderBy('created', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && parseAs(versionShape, row);
}

type RevisionRow = Omit<Revision, 'rows' | 'conflicts' | 'uses'> & { rows: string; conflicts: string };
const addRevision = statement((db, row: TenantIssue & RevisionRow) => {
  const { tenant, issue, epoch, seq, hash, name, text, rows, account, client, kind, conflicts } = row;
  const values = { tenant, issue, epoch, seq, hash, name, text, rows, account, client, kind, conflicts };
  return db.insertInto('revision').values(values);
});

/** Stores revisions, and the changes of used templates. */
export const addRevisions = (place: TenantIssue, revisions: readonly Revision[]): CompiledQuery<unknown>[] =>
  revisions.flatMap(({ rows, conflicts, uses, ...revision }) => [
    addRevision({ ...place, ...revision, rows: JSON.stringify(rows), conflicts: JSON.stringify(conflicts) }),
    ...(uses ? noteTemplateUses(place, uses) : []),
  ]);

/** Sets the checklist's newest revision, whose text is in the property, or due there. */
export const putPosition = statement(
  (db, { tenant, issue, epoch, seq }: TenantIssue & { epoch: string; seq: number }) =>
    db
      .updateTable('checklist')
      .set({ epoch, seq, source: 'PROPERTY', mirrored: true })
      .where('tenant', '=', tenant)
      .where('issue', '=', issue),
);

/** Stores the position of a text from another source, in an issue that the app has not written to yet. */
export const putForeignPosition = statement(
  (db, { tenant, issue, epoch, seq, source }: TenantIssue & { epoch: string; seq: number; source: string }) =>
    db.updateTable('checklist').set({ epoch, seq, source }).where('tenant', '=', tenant).where('issue', '=', issue),
);
