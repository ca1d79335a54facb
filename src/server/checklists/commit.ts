import { isDeepStrictEqual } from 'node:util';
import type { CompiledQuery } from 'kysely';
import { namedAuthor } from '../../domain/person.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import { keepForeign, type TrackerIssue, writeProperty } from '../tracker/issue.ts';
import { announceAssigned, indexAssigned } from './assigned.ts';
import { type FoundText, noteEchoes, propertyMark } from './echo.ts';
import { noteForeign } from './foreign.ts';
import { isGone, mustBeInstalled, uninstalled } from './installed.ts';
import type { Lease } from './lease.ts';
import { markBehind, queueField } from './mirror.ts';
import { propertyOf } from './property.ts';
import { readText } from './reading.ts';
import {
  addIntent,
  type FieldText,
  type Intent,
  type Place,
  type Revision,
  settleIntent,
  type Version,
} from './revisions.ts';
import type { Site } from './site.ts';
import { countStatuses } from './status-use.ts';

/** People named in what is told of a write, which has room for little. */
const MOST_NAMED = 10;

/** The issue as it was found, whose project has these statuses. */
interface Found {
  issue: TrackerIssue;
  statuses: StatusRegistry;
}

/** What is looked up by items. */
function indexRows(place: Place, { text, rows: ids }: Version, { issue, statuses }: Found): CompiledQuery<unknown>[] {
  const { rows } = readText(text, statuses);
  return [...indexAssigned(place, issue.project, rows, ids), ...countStatuses(place, rows, statuses)];
}

/** Makes history of what was written. */
export function settleWritten(site: Site, place: Place, intent: Intent, found: Found): CompiledQuery<unknown>[] {
  const last = intent.revisions.at(-1);
  const by = [...new Set(intent.revisions.map(({ account }) => namedAuthor(account)))].slice(0, MOST_NAMED);
  const rows = last ? readText(last.text, found.statuses).rows : [];
  return [
    announceAssigned(place, { kind: 'checklist', issue: place.issue, by }, rows),
    ...settleIntent(place, intent),
    ...(last ? indexRows(place, last, found) : []),
    // Only now: what a turn found that failed is still to be taken in, from what stood there before.
    ...(intent.found === null ? [] : noteForeign(place, intent.found)),
    markBehind(site, place, intent.field),
  ];
}

interface Putting extends Found {
  version: Version;
}

/**
 * Writes the property. The tracker knows no compare-and-set, so before a further try it is read again: where it is not
 * any more what it was, the turn begins anew, from that. Resolves with what is to be remembered where it was tried more
 * than once: the first try may arrive yet, after later ones.
 */
async function put(
  site: Site,
  place: Place,
  lease: Lease,
  { issue, statuses, version }: Putting,
): Promise<CompiledQuery<unknown>[]> {
  const { writer } = site;
  await keepForeign(writer, place.issue, issue);
  const late = await writeProperty(writer, place.issue, propertyOf(version, statuses), async ({ property }) => {
    await lease.write([]);
    return isDeepStrictEqual(property, issue.property);
  });
  return late ? noteEchoes(place, 'property', [{ mark: propertyMark(version), text: version.text }]) : [];
}

/** What is to be written, in order, and what the field held, where that is part of it. */
interface Writing extends Found {
  revisions: readonly Revision[];
  taken: FieldText | undefined;
  /** What others last wrote into the property, where that is part of it. */
  found: FoundText | undefined;
}

/** Intent, property, revisions: whatever the process dies between is found out by `settle`. */
export async function commit(
  site: Site,
  place: Place,
  lease: Lease,
  { issue, statuses, revisions, taken, found }: Writing,
): Promise<void> {
  const { tenant } = site;
  const last = revisions.at(-1);
  if (!last) return;
  const { epoch, seq, hash } = last;
  const intent: Intent = {
    epoch,
    seq,
    hash,
    revisions: [...revisions],
    field: taken ?? null,
    found: found?.text ?? null,
    found_base: found?.base ?? null,
  };
  await lease.write([mustBeInstalled(tenant), addIntent(place, intent)]).catch(error => {
    throw isGone(error) ? uninstalled() : error;
  });
  const late = await put(site, place, lease, { issue, statuses, version: last });
  await lease.end([...settleWritten(site, place, intent, { issue, statuses }), ...late]);
  if (tenant.mirror !== 'none') queueField(site, place.issue);
}

/** Writes the last version into the property once more. */
export async function repair(site: Site, place: Place, lease: Lease, putting: Putting): Promise<void> {
  await lease.write([]);
  const late = await put(site, place, lease, putting);
  if (late.length > 0) await lease.write(late);
}
