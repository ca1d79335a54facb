import { sql } from 'kysely';
import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';
import type { Tx } from '../store/tables.ts';

export const assignmentMoments = ['CREATED', 'MOVED', 'FIELD_CHANGED'] as const;
export type AssignmentMoment = (typeof assignmentMoments)[number];

/** A rule's values: the template that is added to issues automatically, and its conditions. */
export interface AssignmentValues {
  template: string;
  /** Ids of projects; empty for all. */
  projects: readonly string[];
  /** Ids of issue types; empty for all. */
  issueTypes: readonly string[];
  moment: AssignmentMoment;
  /** Ids of the tracker's target statuses; for `MOVED`. */
  statuses: readonly string[];
  /** Id of the changed field; for `FIELD_CHANGED`. */
  field: string | null;
  enabled: boolean;
}

export interface Assignment extends AssignmentValues {
  id: string;
  /** `null` for a deleted template: the rule then does nothing. */
  templateName: string | null;
}

/** A stored rule with its author, and the time from which it applies. */
export interface StoredAssignment extends Assignment {
  account: string;
  since: Date;
}

const idsShape = v.array(v.string());
const readShape = v.object({
  projects: idsShape,
  issueTypes: idsShape,
  statuses: idsShape,
  moment: v.picklist(assignmentMoments),
});
/** The conditions of a rule whose stored ones cannot be read. It is off. */
const UNREADABLE: v.InferOutput<typeof readShape> = { projects: [], issueTypes: [], statuses: [], moment: 'CREATED' };

/** All rules of a tenant, in their order of application. */
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
  return rows.map(({ id, template, template_name, field, enabled, account, since, ...row }) => {
    const parsedRow = readAs(readShape, { ...row, issueTypes: row.issue_types });
    return {
      ...{ id, template, field, account, since },
      templateName: template_name,
      ...(parsedRow ?? UNREADABLE),
      enabled: enabled && parsedRow !== undefined,
    };
  });
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

/** Replaces a rule's values. It applies to events from now on. */
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

/** The ids of rules that were applied to an issue. */
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
