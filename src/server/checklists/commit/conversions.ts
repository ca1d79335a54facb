import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { refusals, storage } from '../../../domain/messages.ts';
import { appAuthor } from '../../../domain/person.ts';
import { requireInstalled } from '../../access/installed.ts';
import { Refused } from '../../errors/refused.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import {
  type CreatedIssue,
  findCreatedIssue,
  type IssueDraft,
  issueTypesOf,
  linkTypeOf,
  makeIssue,
  readSource,
  reasonsOf,
  type SourceIssue,
} from '../../platform/tracker/create.ts';
import { mayCreateIssues } from '../../platform/tracker/permissions.ts';
import { followKey } from '../../queue/queue.ts';
import type { Tx } from '../../store/tables.ts';
import type { AcceptedChange, Conversion, ItemToConvert } from '../decide/types.ts';
import type { TenantIssue } from '../read/revisions.ts';
import type { Site } from '../service/site.ts';
import type { ChangeBase } from '../service/types.ts';
import type { Work } from './commit.ts';
import { lockChecklist } from './load.ts';

/** The account and client id of a conversion. */
export interface ConversionAuthor {
  account: string;
  client: string;
}

/** An item to convert, and whether it is completed with the issue. */
export interface Item extends ItemToConvert {
  follows: boolean;
}

/** The job that sets items by the issues that they follow. */
export const followJob = ({ tenant, issue }: TenantIssue) =>
  ['follow-issues', { tenant, issue }, { after: 0, key: followKey(issue) }] as const;

/** Later than this, an issue whose creation has no answer may still appear. */
const PENDING_SINCE = sql<Date>`now() - interval '60 seconds'`;
/** Later than this, the history surely holds a conversion's revision (retention.ts). */
const STORED_SINCE = sql<Date>`now() - interval '30 days'`;

const STATE_COLUMNS = [
  'conversion.mark',
  'conversion.key',
  'conversion.made',
  'conversion.summary',
  sql<boolean>`tried is not null`.as('tried'),
  sql<boolean>`coalesce(tried > ${PENDING_SINCE}, false)`.as('pending'),
] as const;

const conversion = (tx: Tx, { tenant, issue }: TenantIssue, { account, client }: ConversionAuthor) =>
  tx
    .updateTable('conversion')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('account', '=', account)
    .where('client', '=', client);

/** Loads the state of a conversion, or stores a new one with its mark. */
const loadConversion = (tx: Tx, { tenant, issue }: TenantIssue, { account, client }: ConversionAuthor, item: Item) =>
  tx
    .insertInto('conversion')
    .values({ tenant, issue, account, client, mark: randomUUID(), ...item })
    .onConflict(conflict => conflict.columns(['tenant', 'issue', 'account', 'client']).doUpdateSet({ account }))
    .returning(STATE_COLUMNS)
    .executeTakeFirstOrThrow();

type ConversionState = Awaited<ReturnType<typeof loadConversion>>;

/**
 * Other conversions of the row that the base does not include: after a lost answer a browser may repeat the conversion
 * under another client id.
 */
async function conversionsAfter(
  tx: Tx,
  { tenant, issue }: TenantIssue,
  { account, client }: ConversionAuthor,
  { row, base }: { row: string | null; base: Pick<ChangeBase, 'epoch' | 'seq'> },
): Promise<ConversionState[]> {
  if (row === null) return [];
  const started = await tx
    .selectFrom('conversion')
    .leftJoin('revision', join =>
      join
        .onRef('revision.tenant', '=', 'conversion.tenant')
        .onRef('revision.issue', '=', 'conversion.issue')
        .onRef('revision.account', '=', 'conversion.account')
        .onRef('revision.client', '=', 'conversion.client'),
    )
    .select(STATE_COLUMNS)
    .select(['revision.epoch', 'revision.seq'])
    .where('conversion.tenant', '=', tenant)
    .where('conversion.issue', '=', issue)
    .where('conversion.row', '=', row)
    .where('conversion.tried', '>', STORED_SINCE)
    .where(({ eb, or }) => or([eb('conversion.account', '!=', account), eb('conversion.client', '!=', client)]))
    .orderBy('conversion.tried')
    .execute();
  return started.filter(({ epoch, seq }) => {
    if (epoch === null || seq === null || base.epoch === '') return true;
    return epoch === base.epoch && seq > base.seq;
  });
}

/** The key of the issue that a conversion created. */
async function keyBefore(
  tx: Tx,
  { tenant, issue }: TenantIssue,
  { account, client }: ConversionAuthor,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('conversion')
    .select('key')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('account', '=', account)
    .where('client', '=', client)
    .executeTakeFirst();
  return row?.key ?? undefined;
}

/** Stores that the tracker gets the request now, or that it surely created no issue. */
async function noteTried(tx: Tx, place: TenantIssue, who: ConversionAuthor, tried: boolean): Promise<void> {
  await conversion(tx, place, who)
    .set({ tried: tried ? sql<Date>`now()` : null })
    .execute();
}

async function noteMade(tx: Tx, place: TenantIssue, who: ConversionAuthor, { id, key }: CreatedIssue): Promise<void> {
  await conversion(tx, place, who).set({ key, made: id }).execute();
}

/** An issue that an item was converted to, and whether the item follows it. */
export interface ConvertedIssue {
  issueKey: string;
  follows: boolean;
}

/** The issues that items of a checklist were converted to. */
export async function convertedIssues(tx: Tx, { tenant, issue }: TenantIssue): Promise<ConvertedIssue[]> {
  const rows = await tx
    .selectFrom('conversion')
    .select(({ fn }) => ['key', fn<boolean>('bool_or', ['follows']).as('follows')])
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('key', 'is not', null)
    .groupBy('key')
    .orderBy('key')
    .execute();
  return rows.flatMap(({ key, follows }) => (key === null ? [] : { issueKey: key, follows }));
}

/**
 * Stores whether the item follows its issue, whose state then has to be read. Resolves with whether an item was converted
 * to that issue.
 */
export async function setFollowing(
  tx: Tx,
  { tenant, issue }: TenantIssue,
  { issueKey, follows }: ConvertedIssue,
): Promise<boolean> {
  const rows = await tx
    .updateTable('conversion')
    .set({ follows, reported: follows ? null : eb => eb.ref('applied') })
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .where('key', '=', issueKey)
    .returning('key')
    .execute();
  return rows.length > 0;
}

const refusedIssue = (message: string) => new Refused('ISSUE_REFUSED', message, 'to');

/** The issue to create. Rejects with `Refused` if the project has no fitting issue type. */
async function draftOf(
  { tracker }: Site,
  source: SourceIssue,
  { to, project = source.project, issueType }: Conversion,
): Promise<Omit<IssueDraft, 'summary' | 'mark'>> {
  const { key } = source;
  /** No issue stands below a sub-task: the new one goes beside it. */
  const parent = source.type.subtask ? source.parent?.key : key;
  // With a chosen type the tracker checks what fits.
  const types = issueType === undefined ? await issueTypesOf(tracker, project) : [];
  if (to === 'SUBTASK') {
    const type = issueType ?? types.find(({ subtask }) => subtask)?.id;
    if (parent === undefined || type === undefined || project !== source.project)
      throw refusedIssue(storage.noSubtasks);
    return { project, type, place: { parent } };
  }
  const same = types.find(({ id, subtask }) => !subtask && id === source.type.id);
  const type = issueType ?? (same ?? types.find(({ subtask }) => !subtask))?.id;
  const link = await linkTypeOf(tracker);
  if (type === undefined || !link) throw refusedIssue(storage.noLinks);
  return { project, type, place: { link, to: key } };
}

/** The issue that one of these conversions created, `undefined` if none did. */
async function madeBy(
  site: Site,
  source: SourceIssue,
  states: readonly ConversionState[],
): Promise<CreatedIssue | undefined> {
  for (const { key, made, mark, tried, summary } of states) {
    if (key !== null && made !== null) return { id: made, key };
    if (!tried) continue;
    const issue = await findCreatedIssue(site.tracker, source, { summary, mark });
    if (issue !== undefined) return issue;
    if (!source.type.subtask || !source.parent) continue;
    const beside = await readSource(site.tracker, source.parent.id);
    const sibling = await findCreatedIssue(site.tracker, beside, { summary, mark });
    if (sibling !== undefined) return sibling;
  }
  return undefined;
}

/** Throws `Refused` if an issue was created, or may still be. */
function refuseSecond(states: readonly ConversionState[]): void {
  if (states.some(({ pending, key }) => pending || key !== null)) {
    throw new Refused('TRACKER_UNAVAILABLE', storage.issuePending);
  }
}

/**
 * The key of the issue for the item, which is created once: a repetition after a lost answer or a killed process finds it
 * by the conversion's mark, also under another client id on a base without the conversion. Refuses while an earlier
 * request is pending.
 */
async function issueFor(
  site: Site,
  place: TenantIssue,
  who: ConversionAuthor,
  { edit, item, base }: { edit: Conversion; item: Item; base: ChangeBase },
): Promise<string> {
  const { tracker } = site;
  const within = <T>(work: (tx: Tx) => Promise<T>) => site.store.tenant(place.tenant, work);
  const load = async (tx: Tx): Promise<[ConversionState, ...ConversionState[]]> => [
    await loadConversion(tx, place, who, item),
    ...(await conversionsAfter(tx, place, who, { row: item.row, base })),
  ];
  const states = await within(load);
  const [{ key: storedKey, mark }] = states;
  if (storedKey !== null) return storedKey;
  const source = await readSource(tracker, place.issue);
  const keep = (issue: CreatedIssue) => within(tx => noteMade(tx, place, who, issue));
  const earlierIssue = await madeBy(site, source, states);
  if (earlierIssue !== undefined) {
    await keep(earlierIssue);
    return earlierIssue.key;
  }
  refuseSecond(states);
  const draft = await draftOf(site, source, edit);
  await within(async tx => {
    await requireInstalled(tx, site.tenant);
    // Another process may have requested it meanwhile.
    await tx.executeQuery(lockChecklist(place));
    refuseSecond(await load(tx));
    await noteTried(tx, place, who, true);
  });
  try {
    const issue = await makeIssue(tracker, { ...draft, summary: item.summary, mark });
    await keep(issue);
    return issue.key;
  } catch (error) {
    if (!(error instanceof TrackerRefused)) throw error;
    await within(tx => noteTried(tx, place, who, false));
    throw refusedIssue(storage.issueRefused(reasonsOf(error)));
  }
}

/**
 * Creates an issue for an item and adds its key to the item. Each client id makes one issue and one change: a first
 * decision finds the item, or the outcome of the same change before.
 */
export async function convertItem({ site, issue, proposal }: Work, edit: Conversion): Promise<AcceptedChange> {
  const { account, clientId, base } = proposal;
  const place = { tenant: site.tenant.id, issue };
  const who = { account, client: clientId };
  const { project, follows = false } = edit;
  const asker = appAuthor(account) ? undefined : account;
  const inProject = { issue, ...(project !== undefined && { project }) };
  if (!(await mayCreateIssues(site.tracker, asker, inProject))) throw new Refused('FORBIDDEN', refusals.permission);
  const { item, ...outcome } = await site.changes({ site, issue, proposal });
  if (!item) {
    const issueKey = await site.store.tenant(place.tenant, tx => keyBefore(tx, place, who));
    return { ...outcome, ...(issueKey !== undefined && { issueKey }) };
  }
  const issueKey = await site.conversions.run(JSON.stringify(place), () =>
    issueFor(site, place, who, { edit, item: { ...item, follows }, base }),
  );
  return { ...(await site.changes({ site, issue, proposal: { ...proposal, edit: { ...edit, issueKey } } })), issueKey };
}
