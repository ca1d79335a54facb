import * as v from 'valibot';
import type { Collection, Store } from '../store.ts';
import { issueTypes, linkTypes, priorities, seedProjects, statuses } from './catalogue.ts';
import { seedIssues, seedLinks } from './issues.ts';
import {
  type CustomField,
  customFieldShape,
  type Gadget,
  gadgetShape,
  type Issue,
  type IssueType,
  issueShape,
  type Named,
  type Priority,
  type Project,
  projectShape,
  type Status,
  type WorkflowRule,
  workflowRuleShape,
} from './model.ts';

/** The site's data, and how things in it are found. */
export interface Site {
  name: string;
  /** Address without a trailing slash, e.g. `http://localhost:2990`. */
  url: string;
  projects: Collection<Project>;
  issues: Collection<Issue>;
  customFields: Collection<CustomField>;
  rules: Collection<WorkflowRule>;
  gadgets: Collection<Gadget>;
  /** Entity properties by `{entity}/{id}/{key}`: entity is issue, project, user or addon. */
  properties: Collection<unknown>;
}

/** Opens the site, and fills it with projects and issues when it is new. */
export async function openSite(store: Store, url: string, name: string): Promise<Site> {
  const site: Site = {
    name,
    url,
    projects: store.collection('project', projectShape),
    issues: store.collection('issue', issueShape),
    customFields: store.collection('field', customFieldShape),
    rules: store.collection('rule', workflowRuleShape),
    gadgets: store.collection('gadget', gadgetShape),
    properties: store.collection('property', v.unknown()),
  };
  // Projects are written last: an interrupted first start begins again, with the same ids.
  if (site.projects.list().length < seedProjects.length) await seed(site);
  return site;
}

async function seed(site: Site): Promise<void> {
  const numbers = new Map<string, number>();
  const ids = new Map<string, string>();
  for (const [index, entry] of seedIssues.entries()) {
    const project = projectNamed(entry.project);
    const number = (numbers.get(project.key) ?? 0) + 1;
    numbers.set(project.key, number);
    const id = String(10_001 + index);
    ids.set(entry.summary, id);
    const time = new Date(Date.UTC(2026, 8, 1 + index, 9, 30)).toISOString();
    await site.issues.put(id, {
      id,
      key: `${project.key}-${number}`,
      projectId: project.id,
      typeId: named(issueTypes, entry.type).id,
      statusId: named(statuses, entry.status).id,
      priorityId: named(priorities, entry.priority).id,
      summary: entry.summary,
      description: entry.description,
      reporterId: entry.reporter,
      assigneeId: entry.assignee ?? null,
      parentId: entry.parent ? (ids.get(entry.parent) ?? null) : null,
      labels: entry.labels ?? [],
      securityId: null,
      isArchived: false,
      links: [],
      created: time,
      updated: time,
      history: [],
      custom: {},
    });
  }
  for (const { from, to, type } of seedLinks) {
    const [source, target] = [from, to].map(summary => site.issues.get(ids.get(summary) ?? ''));
    if (source && target) await linkIssues(site, source.id, target.id, named(linkTypes, type).id);
  }
  for (const project of seedProjects) {
    await site.projects.put(project.id, { ...project, nextNumber: (numbers.get(project.key) ?? 0) + 1 });
  }
}

/** Links two issues, at both ends. Existing links stay. */
export async function linkIssues(site: Site, from: string, to: string, typeId: string): Promise<void> {
  const ends = [
    { id: from, issueId: to, outward: true },
    { id: to, issueId: from, outward: false },
  ];
  for (const { id, ...link } of ends) {
    const issue = site.issues.get(id);
    if (!issue) throw new Error(`There is no issue ${id}.`);
    const isLinked = issue.links.some(
      each => each.issueId === link.issueId && each.typeId === typeId && each.outward === link.outward,
    );
    if (!isLinked) await site.issues.put(id, { ...issue, links: [...issue.links, { ...link, typeId }] });
  }
}

/** Removes the links of that type between two issues, at both ends. */
export async function unlinkIssues(site: Site, one: string, other: string, typeId: string): Promise<void> {
  for (const [id, issueId] of [
    [one, other],
    [other, one],
  ] as const) {
    const issue = site.issues.get(id);
    const links = issue?.links.filter(each => each.issueId !== issueId || each.typeId !== typeId);
    if (issue && links) await site.issues.put(id, { ...issue, links });
  }
}

function named<T extends Named>(list: readonly T[], name: string): T {
  const namedEntry = list.find(entry => entry.name === name);
  if (!namedEntry) throw new Error(`The catalogue has no ${name}.`);
  return namedEntry;
}

function projectNamed(key: string): Project {
  const seedProject = seedProjects.find(project => project.key === key);
  if (!seedProject) throw new Error(`The catalogue has no ${key}.`);
  return seedProject;
}

export const findIssue = (site: Site, idOrKey: string): Issue | undefined =>
  site.issues.get(idOrKey) ?? site.issues.list().find(({ value }) => value.key === idOrKey.toUpperCase())?.value;

export const findProject = (site: Site, idOrKey: string): Project | undefined =>
  site.projects.get(idOrKey) ?? site.projects.list().find(({ value }) => value.key === idOrKey.toUpperCase())?.value;

const byId =
  <T extends Named>(list: readonly T[], what: string) =>
  (id: string): T => {
    const foundEntry = list.find(entry => entry.id === id);
    if (!foundEntry) throw new Error(`There is no ${what} ${id}.`);
    return foundEntry;
  };
export const typeOf: (id: string) => IssueType = byId(issueTypes, 'issue type');
export const statusOf: (id: string) => Status = byId(statuses, 'status');
export const priorityOf: (id: string) => Priority = byId(priorities, 'priority');

export function projectOf(site: Site, issue: Issue): Project {
  const project = site.projects.get(issue.projectId);
  if (!project) throw new Error(`There is no project ${issue.projectId}.`);
  return project;
}

export const childrenOf = (site: Site, issue: Issue): Issue[] =>
  site.issues
    .list()
    .map(({ value }) => value)
    .filter(child => child.parentId === issue.id);
