import type { ServerEdit } from '../../../domain/change.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { refusals, storage } from '../../../domain/messages.ts';
import { appAuthor } from '../../../domain/person.ts';
import { applyChanges } from '../../../text/document.ts';
import { inParts } from '../../../text/edits/in-parts.ts';
import { addIssueKey } from '../../../text/edits.ts';
import { plainText } from '../../../text/plain-text.ts';
import { locate, rowAt } from '../../../text/rows.ts';
import type { Sliced } from '../../../text/sliced.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { Checklist } from '../../../text/types.ts';
import { requireInstalled } from '../../auth/installed.ts';
import { readingText, readText } from '../../common/reading.ts';
import { Refused } from '../../errors/refused.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import {
  findMade,
  type IssueDraft,
  issueTypesOf,
  linkTypeOf,
  type MadeIssue,
  makeIssue,
  readSource,
  reasonsOf,
  type SourceIssue,
} from '../../platform/tracker/create.ts';
import { mayCreateIssues } from '../../platform/tracker/permissions.ts';
import type { Tx } from '../../store/tables.ts';
import type { TenantIssue } from '../revisions.ts';
import type { Site } from '../site.ts';
import type { ChangeBase, ChangeOutcome, ChangeRequest, PreparedChange } from '../types.ts';
import {
  type ConversionState,
  conversionsAfter,
  type Item,
  keyBefore,
  loadConversion,
  noteMade,
  noteTried,
  type Who,
} from './conversions.ts';
import { lockChecklist } from './state.ts';

/** Most UTF-16 units of a summary in the tracker. */
const SUMMARY_MAX = 255;

export type Conversion = Extract<ServerEdit, { kind: 'convertItemToIssue' }>;

/** Thrown by the dry run of a conversion, which finds its earlier outcome or its item. */
class DryRun extends Error {
  override readonly name = 'DryRun';
  readonly item: Item;

  constructor(item: Item) {
    super();
    this.item = item;
  }
}

/** An item's text on one line, without markup and mentions. */
export function summaryOf(checklist: Checklist, index: number): string {
  if (rowAt(checklist, index).kind === 'header') throw new Refused('NOT_AN_ITEM', storage.headerNoIssue, 'target');
  const text = plainText(checklist, index);
  if (text === '') throw new Refused('REQUIRED', fieldErrors.REQUIRED, 'target');
  // A surrogate pair is not cut in half.
  return text
    .slice(0, SUMMARY_MAX)
    .replace(/\p{Surrogate}$/u, '')
    .trim();
}

const refusedIssue = (message: string) => new Refused('ISSUE_REFUSED', message, 'to');

/** The issue to create. Rejects with `Refused` where the project has no fitting issue type. */
async function draftOf(
  { tracker }: Site,
  source: SourceIssue,
  { to, project = source.project, issueType }: Conversion,
): Promise<Omit<IssueDraft, 'summary' | 'mark'>> {
  const { key } = source;
  // With a chosen type the tracker checks what fits.
  const types = issueType === undefined ? await issueTypesOf(tracker, project) : [];
  if (to === 'SUBTASK') {
    const type = issueType ?? types.find(({ subtask }) => subtask)?.id;
    if (source.type.subtask || type === undefined || project !== source.project) throw refusedIssue(storage.noSubtasks);
    return { project, type, place: { parent: key } };
  }
  const same = types.find(({ id, subtask }) => !subtask && id === source.type.id);
  const type = issueType ?? (same ?? types.find(({ subtask }) => !subtask))?.id;
  const link = await linkTypeOf(tracker);
  if (type === undefined || !link) throw refusedIssue(storage.noLinks);
  return { project, type, place: { link, to: key } };
}

/** The issue that one of these conversions created, `undefined` where none did. */
async function madeBy(
  site: Site,
  source: SourceIssue,
  states: readonly ConversionState[],
): Promise<MadeIssue | undefined> {
  for (const { key, made, mark, tried, summary } of states) {
    if (key !== null && made !== null) return { id: made, key };
    const found = tried ? await findMade(site.tracker, source, { summary, mark }) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Throws `Refused` where an issue was created, or may still be. */
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
  who: Who,
  { edit, item, base }: { edit: Conversion; item: Item; base: ChangeBase },
): Promise<string> {
  const { tracker } = site;
  const within = <T>(work: (tx: Tx) => Promise<T>) => site.store.tenant(place.tenant, work);
  const load = async (tx: Tx): Promise<[ConversionState, ...ConversionState[]]> => [
    await loadConversion(tx, place, who, item),
    ...(await conversionsAfter(tx, place, who, { row: item.row, base })),
  ];
  const states = await within(load);
  const [{ key: known, mark }] = states;
  if (known !== null) return known;
  const source = await readSource(tracker, place.issue);
  const keep = (issue: MadeIssue) => within(tx => noteMade(tx, place, who, issue));
  const found = await madeBy(site, source, states);
  if (found !== undefined) {
    await keep(found);
    return found.key;
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

function* withKey(
  text: string,
  statuses: StatusRegistry,
  { target, replaces }: Conversion,
  key: string,
): Sliced<string> {
  const checklist = yield* readingText(text, statuses);
  return applyChanges(text, yield* inParts(statuses, new Map(), () => addIssueKey(checklist, target, key, replaces)));
}

/** Creates an issue for an item and adds its key to the item. Each client id makes one issue and one change. */
export async function convertItem(
  site: Site,
  account: string,
  request: ChangeRequest,
  edit: Conversion,
): Promise<ChangeOutcome> {
  const { issueId, clientId, base } = request;
  const place = { tenant: site.tenant.id, issue: issueId };
  const who = { account, client: clientId };
  const change = (apply: PreparedChange['apply']) =>
    site.changes({
      site,
      account,
      change: { issueId, clientId, base, kind: edit.kind, name: undefined, apply, keepsRows: true },
    });

  const { project, follows = false } = edit;
  const where = { issue: issueId, ...(project !== undefined && { project }) };
  const asker = appAuthor(account) ? undefined : account;
  if (!(await mayCreateIssues(site.tracker, asker, where))) throw new Refused('FORBIDDEN', refusals.permission);
  /** The item, or the outcome where this conversion was made before. */
  const ask = async (): Promise<Item | ChangeOutcome> => {
    try {
      return await change((text, statuses, rows) => {
        const checklist = readText(text, statuses);
        const index = locate(checklist, edit.target);
        throw new DryRun({ row: rows()[index] ?? null, summary: summaryOf(checklist, index), follows });
      });
    } catch (error) {
      // May come from another request of the same batch and client id, of which only one edit ran.
      if (error instanceof DryRun) return error.item;
      throw error;
    }
  };
  const found = await ask();
  if (!('summary' in found)) {
    const issueKey = await site.store.tenant(place.tenant, tx => keyBefore(tx, place, who));
    return { ...found, ...(issueKey !== undefined && { issueKey }) };
  }
  const item = found;
  const key = await site.conversions.run(JSON.stringify(place), () => issueFor(site, place, who, { edit, item, base }));
  for (;;) {
    try {
      const outcome = await change((text, statuses) => withKey(text, statuses, edit, key));
      return { ...outcome, issueKey: key };
    } catch (error) {
      // The dry run of another request of the same batch and client id answered for both: try again.
      if (!(error instanceof DryRun)) throw error;
    }
  }
}
