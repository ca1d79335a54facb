import * as v from 'valibot';
import { listDue } from '../../../src/server/operators/work.ts';
import type { TriedSite } from './site.ts';

/*
 * Holds after each action: a copy that differs from the newest revision has a living job, which runs when the copy is
 * due; if it waits for longer than a failed try does, `admin due` names the reason.
 */

/** Seconds within which a failed job is tried again, with those for which a site's calls stop. */
const SOON = 130;
/** A copy that waits for longer is refused: a failed job waits for a minute at most. */
const REFUSED_AFTER = 65;
/** The longest seconds until the next try of a refused copy, by whom it is refused, and until the sweep. */
const LONGEST = { refused: 6 * 3_600, size: 24 * 3_600, sweep: 3_600 };
/** Reasons that are the checklist's own. */
const OWN_REASONS = ['size', 'screen', 'foreign'];

const seconds = v.nullable(v.number());
const copyShape = v.object({
  issue: v.string(),
  isMissing: v.boolean(),
  isUnread: v.boolean(),
  isPropertyOld: v.boolean(),
  isFieldOld: v.boolean(),
  propertyDue: seconds,
  fieldDue: seconds,
  propertyRefused: v.nullable(v.string()),
  fieldRefused: v.nullable(v.string()),
  /** Seconds until the living job; the sweep's. */
  job: seconds,
  sweep: seconds,
});
type CopyRow = v.InferOutput<typeof copyShape>;

const until = (time: string) =>
  `case when ${time} is not null then greatest(0, extract(epoch from ${time} - now()))::float8 end`;
const living = (name: string, key: string) => `(select case when beat is null then ${until('due')} else 0 end from queue
  where queue.tenant = c.tenant and queue.key = ${key} and queue.name = '${name}' and queue.failed is null)`;
const COPIES = `select c.issue, missing is not null as "isMissing", hints > hints_read or pending_seq is not null as "isUnread",
  (confirmed_epoch, confirmed_seq) is distinct from (c.epoch, c.seq) as "isPropertyOld",
  field_seq is not null and (field_epoch, field_seq) is distinct from (c.epoch, c.seq)
    and (select mirror from tenant t where t.tenant = c.tenant) as "isFieldOld",
  case when property_refused is not null then ${until('property_retry')} else ${living('write-property', 'c.issue')} end as "propertyDue",
  case when field_refused is not null then ${until('field_retry')} else ${living('write-field', 'c.issue')} end as "fieldDue",
  property_refused as "propertyRefused", field_refused as "fieldRefused",
  least(${['sync', 'write-property', 'write-field'].map(name => living(name, 'c.issue'))}) as job, ${living('sweep', "'sweep'")} as sweep
  from checklist c join sync s on s.tenant = c.tenant and s.issue = c.issue
  where c.tenant = $1 and c.mirrored and c.seq > 0 order by c.issue`;

/** Seconds within which a copy has to be tried again. */
const longestOf = (refused: string | null): number => {
  if (refused === null) return SOON;
  return OWN_REASONS.includes(refused) ? LONGEST.size : LONGEST.refused;
};

function unscheduled(row: CopyRow): string[] {
  const { issue, isMissing, isUnread, isPropertyOld, isFieldOld, propertyDue, fieldDue, job } = row;
  const found: string[] = [];
  const isBehind = isPropertyOld || isFieldOld;
  if (isMissing) {
    const isLookedFor = job !== null || (row.sweep !== null && row.sweep <= LONGEST.sweep + SOON);
    return isBehind && !isLookedFor ? [`issue ${issue}: it is missing, and nothing looks for it`] : [];
  }
  const copies = [
    { copy: 'property', isOld: isPropertyOld, due: propertyDue, refused: row.propertyRefused },
    { copy: 'field', isOld: isFieldOld, due: fieldDue, refused: row.fieldRefused },
  ];
  for (const { copy, isOld, due, refused } of copies) {
    if (isOld && due === null && !isUnread && job === null)
      found.push(`issue ${issue}: the ${copy} is behind without a time`);
    if (due !== null && due > longestOf(refused) + SOON)
      found.push(`issue ${issue}: the ${copy} (${refused ?? 'not refused'}) waits for ${due} s`);
  }
  const mayWait = row.propertyRefused !== null && propertyDue !== null && propertyDue > 0;
  const dues = [propertyDue, fieldDue].filter(due => due !== null);
  const first = isUnread && !mayWait ? 0 : dues.length > 0 ? Math.min(...dues) : isUnread ? 0 : undefined;
  if (first !== undefined && (job === null || job > first + SOON))
    found.push(`issue ${issue}: work is due in ${first} s, its job is ${job === null ? 'lost' : `in ${job} s`}`);
  return found;
}

const counts = v.object({
  refused: v.array(
    v.looseObject({
      tenant: v.string(),
      copy: v.string(),
      reason: v.string(),
      issues: v.number(),
      projects: v.number(),
    }),
  ),
});

/** The work that waits without a job, without a time, for too long, or without a reason that operators see. */
export async function unscheduledWork(site: TriedSite): Promise<string[]> {
  const tenant = site.it().tenant.id;
  const rows = v.parse(v.array(copyShape), await site.raw(COPIES, [tenant]));
  const { refused } = v.parse(counts, (await listDue(site.store)).json);
  const listed = refused.filter(each => each.tenant === tenant);
  const found = rows.flatMap(unscheduled);
  const missing = site.state.mayMiss ? [] : rows.filter(({ isMissing }) => isMissing);
  found.push(...missing.map(({ issue }) => `issue ${issue}: it counts as missing, though the tracker shows it`));
  for (const copy of ['property', 'field'] as const) {
    const waiting = rows.filter(row => !row.isMissing && (row[`${copy}Due`] ?? 0) > REFUSED_AFTER);
    const named = listed.filter(each => each.copy === copy).reduce((sum, { issues }) => sum + issues, 0);
    if (named < waiting.length)
      found.push(`${waiting.length} issues wait for the ${copy}, and "admin due" names ${named}`);
  }
  const [projects] = await site.raw(
    `select copies_wanted <> copies_confirmed as "isBehind", (select count(*)::integer from project_copy p where p.tenant = c.tenant) as refused,
      ${living('mirror', "'mirror'")} as job from tenant c where tenant = $1 and enabled`,
    [tenant],
  );
  const isWaiting = projects?.isBehind === true || Number(projects?.refused ?? 0) > 0;
  if (isWaiting && (projects?.job === null || Number(projects?.job) > LONGEST.refused + SOON))
    found.push(
      `copies in projects are behind, their job is ${projects?.job === null ? 'lost' : `in ${projects?.job} s`}`,
    );
  const named = listed.reduce((sum, each) => sum + each.projects, 0);
  if (named !== Number(projects?.refused ?? 0))
    found.push(`${projects?.refused} copies in projects are refused, and "admin due" names ${named}`);
  const [wide] = await site.raw(
    `select ${living('site-wide', "'site-wide'")} as job from tenant c
      where tenant = $1 and exists (select from job where job.tenant = c.tenant and job.ended is null)`,
    [tenant],
  );
  if (wide && (wide.job === null || Number(wide.job) > LONGEST.sweep))
    found.push(`a job over issues is open, and ${wide.job === null ? 'nothing runs it' : `waits for ${wide.job} s`}`);
  return found;
}
