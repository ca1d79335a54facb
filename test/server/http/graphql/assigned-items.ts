import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beforeAll } from 'vitest';
import { appOf, startApp } from '../../support/app.ts';
import { EDITOR, newIssue, update } from '../../support/checklists.ts';
import type { TestStore } from '../../support/stores.ts';

export const ITEMS = `query items($today: String!, $who: AssignedWhoInput, $order: AssignedOrder, $filter: AssignedFilterInput, $after: String, $first: Int) {
  assignedItems(today: $today, who: $who, order: $order, filter: $filter, after: $after, first: $first) {
    next
    items { id issueId index section text mandatory dueDate status { slug name color checked } }
    issues {
      id key summary status statusColor type typeIcon projectId projectName count
      permissions { canAddChecklistItems canChangeItemStatuses canDeleteChecklistItems canEditChecklist }
    }
  }
}`;
export const COUNTS = `query counts($today: String!, $who: AssignedWhoInput, $filter: AssignedFilterInput) {
  assignedCounts(today: $today, who: $who, filter: $filter) {
    partial all overdue
    due { past today week later none }
    projects { id name count }
    statuses { slug name count }
  }
}`;

const itemShape = v.looseObject({ id: v.string(), issueId: v.string(), index: v.number(), text: v.string() });
export const pageShape = v.object({
  assignedItems: v.object({
    next: v.nullable(v.string()),
    items: v.array(itemShape),
    issues: v.array(v.looseObject({ id: v.string() })),
  }),
});
export const countsShape = v.object({
  assignedCounts: v.object({
    partial: v.boolean(),
    all: v.number(),
    overdue: v.number(),
    due: v.record(v.string(), v.number()),
    projects: v.array(v.object({ id: v.string(), name: v.string(), count: v.number() })),
    statuses: v.array(v.object({ slug: v.string(), name: v.string(), count: v.number() })),
  }),
});

export const TODAY = '2026-11-20';

/** An app, and people with items on issues of their own. */
export function withPeople(use: () => TestStore) {
  const it = appOf(beforeAll, () => startApp(use().store));

  /** Issues with these texts. `@` stands for the requesting account. */
  async function person(texts: string[], granted = EDITOR) {
    const account = randomUUID();
    const issues = [];
    for (const text of texts) {
      // Another user writes them, so that no permission of the requesting account is cached.
      const issue = await newIssue(it);
      await issue.edit(update(text.replaceAll('@', `[~accountid:${account}]`)));
      issues.push(issue);
    }
    it.tracker.granted.set(account, granted);
    const ask = async (document: string, variables: object = {}) => {
      const { data, errors } = await it.graphql(account, document, { today: TODAY, ...variables });
      if (errors) throw new Error(`${errors[0]?.message} ${errors[0]?.extensions?.field ?? ''}`.trim());
      return data;
    };
    const page = async (variables?: object) => v.parse(pageShape, await ask(ITEMS, variables)).assignedItems;
    const counts = async (variables?: object) => v.parse(countsShape, await ask(COUNTS, variables)).assignedCounts;
    const texts_ = async (variables?: object) =>
      (await page(variables)).items.map(({ text }) => text.replaceAll(/ ?\[~accountid:[^\]]*\]/g, ''));
    return { account, issues, page, counts, texts: texts_ };
  }

  /** Renames an issue in the tracker. */
  const rename = (issue: string, summary: string) =>
    Object.assign(it.tracker.issues.get(issue)?.fields ?? {}, { summary });
  return { it, person, rename };
}

export const idOf = (issues: readonly { id: string }[], index: number) => issues[index]?.id ?? '';
