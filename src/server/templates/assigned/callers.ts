import { randomUUID } from 'node:crypto';
import { fieldErrors } from '../../../domain/fields.ts';
import { managing, templates as messages, settings } from '../../../domain/messages.ts';
import { requireAdmin, requireKnownProjects, requireProjects } from '../../access/project-permissions.ts';
import type { Refusing } from '../../errors/refusal.ts';
import { Refused } from '../../errors/refused.ts';
import type { Caller } from '../../platform/tokens.ts';
import type { Tracker } from '../../platform/tracker/client.ts';
import { visibleIssues } from '../../platform/tracker/permissions.ts';
import { countIssues, searchIssues } from '../../platform/tracker/search.ts';
import { publish } from '../../store/live-events.ts';
import { lockTenant } from '../../store/lock.ts';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';
import {
  type AssignmentValues,
  addAssignment,
  dropAssignment,
  loadAssignments,
  orderAssignments,
  type StoredAssignment,
  saveAssignment,
} from '../assignments.ts';
import { getTemplate } from '../templates.ts';
import type { Assignments } from './types.ts';

export interface AssignmentsOptions {
  store: Store;
  caller: Caller;
  tracker: Tracker;
  refusing: Refusing;
}

/** Limits of the rules of a site, and of the projects of a rule. */
const MAX_RULES = 200;
const MAX_PROJECTS = 50;
const MAX_PREVIEWED_ISSUES = 10;

/** Ids of the tracker's types, statuses and fields that are safe in its query language. */
const trackerId = /^\w{1,64}$/;

type About = Omit<AssignmentValues, 'template' | 'enabled'>;

const list = (ids: readonly string[]) => `(${ids.join(', ')})`;

/** The issues that a rule is for. For `MOVED`, those that are in one of its statuses now can only come back to it. */
function queryOf({ projects, issueTypes, moment, statuses }: Parameters<Assignments['preview']>[0]): string {
  const clauses = [
    projects.length > 0 ? `project in ${list(projects)}` : 'project is not empty',
    ...(issueTypes.length > 0 ? [`issuetype in ${list(issueTypes)}`] : []),
    ...(moment === 'MOVED' && statuses.length > 0 ? [`status not in ${list(statuses)}`] : []),
  ];
  return `${clauses.join(' and ')} order by created desc`;
}

export function callersAssignments({ store, caller, tracker, refusing }: AssignmentsOptions): Assignments {
  const { tenant, account } = caller;
  const notFound = () => new Refused('NOT_FOUND', messages.ruleNotFound, 'id');

  /** Rejects unless the caller administers the site, with or without deleted projects, or each of the rule's projects. */
  async function requireRule(projects: readonly string[]): Promise<void> {
    if (projects.length > MAX_PROJECTS) throw new Refused('TOO_LARGE', settings.noProject, 'projectIds');
    await requireProjects(caller, tracker, projects);
  }

  /** Throws `Refused` if a rule's conditions are incomplete or invalid. */
  function checkMoment({ issueTypes, moment, statuses, field }: About): void {
    if (moment === 'MOVED' && statuses.length === 0) throw new Refused('REQUIRED', messages.ruleStatus, 'statusIds');
    if (moment === 'FIELD_CHANGED' && !field) throw new Refused('REQUIRED', messages.ruleField, 'fieldId');
    for (const [ids, name] of [
      [issueTypes, 'issueTypeIds'],
      [statuses, 'statusIds'],
      [field === null ? [] : [field], 'fieldId'],
    ] as const) {
      if (!ids.every(id => trackerId.test(id))) throw new Refused('UNREADABLE', fieldErrors.REQUIRED, name);
    }
  }

  /** Rejects with `Refused` also if a project does not exist. */
  async function check(about: About): Promise<void> {
    checkMoment(about);
    await requireKnownProjects(tracker, about.projects);
  }

  async function requireTemplate(tx: Tx, { template, projects }: AssignmentValues): Promise<void> {
    const storedTemplate = await getTemplate(tx, tenant.id, template);
    if (!storedTemplate) throw new Refused('NOT_FOUND', messages.notFound, 'templateId');
    const { project } = storedTemplate;
    if (project !== null && (projects.length === 0 || projects.some(each => each !== project))) {
      throw new Refused('NOT_FOUND', messages.ruleProject, 'templateId');
    }
  }

  const concerns = (projects: readonly string[], one: string) => projects.length === 0 || projects.includes(one);

  /** The rules that concern any of the projects; all for the site. */
  const related = (rules: readonly StoredAssignment[], projects: readonly string[]) =>
    projects.length === 0 ? [...rules] : rules.filter(rule => projects.some(one => concerns(rule.projects, one)));

  /** Runs changes one at a time for a tenant. */
  const change = (projects: readonly string[], work: (tx: Tx, rules: StoredAssignment[]) => Promise<void>) =>
    store.tenant(tenant.id, async tx => {
      await lockTenant(tx, tenant.id);
      await work(tx, await loadAssignments(tx, tenant.id));
      await publish(tx, tenant.id, { kind: 'templates' });
      return related(await loadAssignments(tx, tenant.id), projects);
    });

  async function requireAssignment(id: string): Promise<StoredAssignment> {
    const rules = await store.tenant(tenant.id, tx => loadAssignments(tx, tenant.id));
    const rule = rules.find(each => each.id === id);
    if (!rule) throw notFound();
    await requireRule(rule.projects);
    return rule;
  }

  async function create(values: AssignmentValues) {
    await requireRule(values.projects);
    await check(values);
    return change(values.projects, async (tx, rules) => {
      if (rules.length >= MAX_RULES) throw new Refused('LIMIT_REACHED', messages.tooManyRules(MAX_RULES));
      await requireTemplate(tx, values);
      await addAssignment(tx, tenant.id, { ...values, id: randomUUID(), account, position: rules.length });
    });
  }

  async function update(id: string, values: Partial<AssignmentValues>) {
    const before = await requireAssignment(id);
    const { projects } = { ...before, ...values };
    await requireRule(projects);
    // A rule whose project or template is deleted can still be disabled.
    const off = values.enabled === false && Object.keys(values).length === 1;
    if (!off) await check({ ...before, ...values });
    return change(projects, async (tx, rules) => {
      // Merges concurrent changes, except of the projects, for which the permission was checked.
      const currentRule = rules.find(rule => rule.id === id);
      if (!currentRule || currentRule.projects.join() !== before.projects.join()) throw notFound();
      const after = { ...currentRule, ...values };
      if (!off) {
        checkMoment(after);
        await requireTemplate(tx, after);
      }
      await saveAssignment(tx, tenant.id, { ...after, account });
    });
  }

  async function remove(id: string) {
    const { projects } = await requireAssignment(id);
    return change(projects, tx => dropAssignment(tx, tenant.id, id));
  }

  async function move(id: string, before: string | null) {
    const { projects } = await requireAssignment(id);
    return change(projects, async (tx, rules) => {
      const otherRules = rules.map(rule => rule.id).filter(each => each !== id);
      const place = before === null ? otherRules.length : otherRules.indexOf(before);
      if (place < 0 || otherRules.length === rules.length) {
        throw new Refused('CHANGED_MEANWHILE', managing.moveAssignment, 'before');
      }
      await orderAssignments(tx, tenant.id, otherRules.toSpliced(place, 0, id));
    });
  }

  async function preview(values: Parameters<Assignments['preview']>[0]) {
    await requireRule(values.projects);
    await check({ ...values, moment: 'CREATED', field: null });
    const jql = queryOf(values);
    const count = await countIssues(tracker, jql);
    const { issues } = await searchIssues(tracker, { jql, fields: ['summary'], properties: [], page: null });
    const first = issues.slice(0, MAX_PREVIEWED_ISSUES);
    const visible = await visibleIssues(
      tracker,
      account,
      first.map(({ id }) => id),
    );
    return {
      jql,
      count,
      issues: first
        .filter(({ id }) => visible.has(id))
        .map(({ id, key, fields }) => ({ id, key, summary: String(fields.summary ?? '') })),
    };
  }

  async function listed(project?: string) {
    await requireAdmin(caller, tracker, project ?? null);
    const rules = await store.tenant(tenant.id, tx => loadAssignments(tx, tenant.id));
    return project === undefined ? rules : rules.filter(rule => concerns(rule.projects, project));
  }

  return {
    list: project => refusing(listed(project), managing.getTemplates),
    create: values => refusing(create(values)),
    update: (id, values) => refusing(update(id, values)),
    remove: id => refusing(remove(id)),
    move: (id, before) => refusing(move(id, before), managing.moveAssignment),
    preview: values => refusing(preview(values)),
  };
}
