import { sql } from 'kysely';
import * as z from 'zod';
import type { Tx } from '../store/tables.ts';

export const assignmentMoments = ['CREATED', 'MOVED', 'FIELD_CHANGED'] as const;
export type AssignmentMoment = (typeof assignmentMoments)[number];

/** What a rule says: which template comes to which issues by itself, and when. */
export interface AssignmentValues {
  template: string;
  /** Ids of projects; none are all of the site. */
  projects: readonly string[];
  /** Ids of issue types; none are all. */
  issueTypes: readonly string[];
  moment: AssignmentMoment;
  /** Ids of the tracker's statuses to which an issue moves; for `MOVED`. */
  statuses: readonly string[];
  /** Id of the field that changes; for `FIELD_CHANGED`. */
  field: string | null;
  enabled: boolean;
}

export interface Assignment extends AssignmentValues {
  id: string;
  /** `null` where the template is gone: then the rule does nothing. */
  templateName: string | null;
}

/** A rule as it is stored: who stands for what it does, and from when on it counts. */
export interface StoredAssignment extends Assignment {
  account: string;
  since: Date;
}

const idsShape = z.array(z.string());
const momentShape = z.enum(assignmentMoments);

/** All of a tenant, in the order in which they are applied. */
export async function loadAssignments(tx: Tx, tenant: string): Promise<StoredAssignment[]> {
  const rows = await tx
    .selectFrom('template_rule')
    .leftJoin('template', join =>
      join
        .onRef('template.tenant', '=', 'template_rule.tenant')
        .onRef('template.id', '=', 'template_rule.template')
        .on('template.deleted', 'is', null),
    )
    .selectAll('template_rule')
    .select('template.name as template_name')
    .where('template_rule.tenant', '=', tenant)
    .orderBy('position')
    .orderBy('template_rule.id')
    .execute();
  return rows.map(({ id, template, template_name, field, enabled, account, since, ...row }) => ({
    ...{ id, template, field, enabled, account, since },
    templateName: template_name,
    projects: idsShape.parse(row.projects),
    issueTypes: idsShape.parse(row.issue_types),
    statuses: idsShape.parse(row.statuses),
    moment: momentShape.parse(row.moment),
  }));
}

type Values = Omit<Assignment, 'templateName'>;

const columnsOf = ({ template, projects, issueTypes, moment, statuses, field, enabled }: Values) => ({
  ...{ template, moment, field, enabled },
  projects: JSON.stringify(projects),
  issue_types: JSON.stringify(issueTypes),
  statuses: JSON.stringify(statuses),
});

export async function addAssignment(
  tx: Tx,
  tenant: string,
  values: Values & { account: string; position: number },
): Promise<void> {
  const { id, account, position } = values;
  await tx
    .insertInto('template_rule')
    .values({ tenant, id, account, position, ...columnsOf(values) })
    .execute();
}

/** Writes a rule anew. It counts from now on, not for what happened before. */
export async function saveAssignment(tx: Tx, tenant: string, values: Values & { account: string }): Promise<void> {
  await tx
    .updateTable('template_rule')
    .set({ ...columnsOf(values), account: values.account, since: sql<Date>`now()` })
    .where('tenant', '=', tenant)
    .where('id', '=', values.id)
    .execute();
}

export async function dropAssignment(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx.deleteFrom('template_rule').where('tenant', '=', tenant).where('id', '=', id).execute();
  await tx.deleteFrom('rule_applied').where('tenant', '=', tenant).where('rule', '=', id).execute();
}

export async function orderAssignments(tx: Tx, tenant: string, ids: readonly string[]): Promise<void> {
  for (const [position, id] of ids.entries()) {
    await tx.updateTable('template_rule').set({ position }).where('tenant', '=', tenant).where('id', '=', id).execute();
  }
}

/** The rules that were applied to an issue. */
export async function appliedTo(tx: Tx, tenant: string, issue: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('rule_applied')
    .select('rule')
    .where('tenant', '=', tenant)
    .where('issue', '=', issue)
    .execute();
  return new Set(rows.map(({ rule }) => rule));
}

export async function noteApplied(tx: Tx, tenant: string, issue: string, rule: string): Promise<void> {
  await tx
    .insertInto('rule_applied')
    .values({ tenant, issue, rule })
    .onConflict(conflict => conflict.doNothing())
    .execute();
}
