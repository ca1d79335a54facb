import * as v from 'valibot';
import { type IssueSummary, parseIssue } from '../../domain/issue.ts';
import { readAs } from '../../domain/shape.ts';
import { SUMMARY_FIELDS } from '../tracker/find-issues.ts';

/** The fields that an issue of a tree is read from. */
export const TREE_FIELDS = [...SUMMARY_FIELDS, 'project', 'parent', 'issuelinks'] as const;

/** A link as it is told from one issue's end. */
export interface IssueLink {
  /** Id of the other issue. */
  id: string;
  /** What this issue is to the other: “blocks”, “is blocked by”. */
  words: string;
}

/** An issue as a tree shows it. */
export interface TreeIssue extends IssueSummary {
  /** What kind of issue it is, in the tracker's words. */
  type: string;
  subtask: boolean;
  projectId: string;
  /** Id of the issue above it. */
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

/** Reads an issue that came with these fields; `undefined` when it is none. Links that are none are left out. */
export function parseTreeIssue(value: unknown): TreeIssue | undefined {
  const issue = parseIssue(value);
  const fields = readAs(moreShape, value)?.fields;
  if (!issue || !fields) return undefined;
  const links = (fields.issuelinks ?? []).flatMap(linkOf);
  return {
    ...issue,
    type: fields.issuetype.name,
    subtask: fields.issuetype.subtask,
    projectId: fields.project.id,
    parent: fields.parent?.id,
    // The same issue may be linked twice; once for each kind of link is enough.
    links: links.filter(
      (link, at) => links.findIndex(({ id, words }) => id === link.id && words === link.words) === at,
    ),
  };
}
