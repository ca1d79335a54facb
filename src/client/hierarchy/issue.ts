import * as v from 'valibot';
import { type IssueSummary, parseIssue } from '../../domain/issue.ts';
import { readAs } from '../../domain/shape.ts';
import { SUMMARY_FIELDS } from '../tracker/find-issues.ts';

/** The fields that a tree issue is read from. */
export const TREE_FIELDS = [...SUMMARY_FIELDS, 'project', 'parent', 'issuelinks'] as const;

/** A link of an issue, seen from its own end. */
export interface IssueLink {
  /** Id of the other issue. */
  id: string;
  /** The link's names: “blocks”, “is blocked by”, or several of these. */
  words: string;
}

/** An issue of a tree. */
export interface TreeIssue extends IssueSummary {
  /** The issue type's name. */
  type: string;
  subtask: boolean;
  projectId: string;
  /** Id of the parent issue. */
  parent: string | undefined;
  links: readonly IssueLink[];
}

const end = v.optional(v.object({ id: v.string() }));
const linkShape = v.object({
  type: v.object({ inward: v.string(), outward: v.string() }),
  inwardIssue: end,
  outwardIssue: end,
});
const moreShape = v.object({
  fields: v.object({
    issuetype: v.object({ name: v.string(), subtask: v.optional(v.boolean(), false) }),
    project: v.object({ id: v.string() }),
    parent: v.nullish(v.object({ id: v.string() })),
    issuelinks: v.nullish(v.array(v.unknown())),
  }),
});

function linkOf(value: unknown): IssueLink[] {
  const link = readAs(linkShape, value);
  if (link?.outwardIssue) return [{ id: link.outwardIssue.id, words: link.type.outward }];
  return link?.inwardIssue ? [{ id: link.inwardIssue.id, words: link.type.inward }] : [];
}

/** Reads an issue with these fields; `undefined` for invalid data. Invalid links are left out. */
export function parseTreeIssue(value: unknown): TreeIssue | undefined {
  const issue = parseIssue(value);
  const fields = readAs(moreShape, value)?.fields;
  if (!issue || !fields) return undefined;
  // Two issues may have several links, also of the same name.
  const words = new Map<string, Set<string>>();
  for (const link of (fields.issuelinks ?? []).flatMap(linkOf))
    words.set(link.id, (words.get(link.id) ?? new Set()).add(link.words));
  return {
    ...issue,
    type: fields.issuetype.name,
    subtask: fields.issuetype.subtask,
    projectId: fields.project.id,
    parent: fields.parent?.id,
    links: [...words].map(([id, all]) => ({ id, words: [...all].join(', ') })),
  };
}
