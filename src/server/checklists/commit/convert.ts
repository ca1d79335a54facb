import { refusals, storage } from '../../../domain/messages.ts';
import { appAuthor } from '../../../domain/person.ts';
import { requireInstalled } from '../../auth/installed.ts';
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
import type { Conversion, Made } from '../decide/types.ts';
import type { TenantIssue } from '../revisions.ts';
import type { Site } from '../site.ts';
import type { ChangeBase } from '../types.ts';
import type { Work } from './commit.ts';
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
import { lockChecklist } from './load.ts';

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

/**
 * Creates an issue for an item and adds its key to the item. Each client id makes one issue and one change: a first
 * decision finds the item, or the outcome of the same change before.
 */
export async function convertItem({ site, issue, proposal }: Work, edit: Conversion): Promise<Made> {
  const { account, clientId, base } = proposal;
  const place = { tenant: site.tenant.id, issue };
  const who = { account, client: clientId };
  const { project, follows = false } = edit;
  const asker = appAuthor(account) ? undefined : account;
  const inProject = { issue, ...(project !== undefined && { project }) };
  if (!(await mayCreateIssues(site.tracker, asker, inProject))) throw new Refused('FORBIDDEN', refusals.permission);
  const { item, ...made } = await site.changes({ site, issue, proposal });
  if (!item) {
    const issueKey = await site.store.tenant(place.tenant, tx => keyBefore(tx, place, who));
    return { ...made, ...(issueKey !== undefined && { issueKey }) };
  }
  const issueKey = await site.conversions.run(JSON.stringify(place), () =>
    issueFor(site, place, who, { edit, item: { ...item, follows }, base }),
  );
  return { ...(await site.changes({ site, issue, proposal: { ...proposal, edit: { ...edit, issueKey } } })), issueKey };
}
