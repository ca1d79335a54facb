import * as v from 'valibot';
import { issuePath } from './pages.ts';
import { readAs } from './shape.ts';

/** An issue as chips and lists show it. */
export interface IssueSummary {
  id: string;
  key: string;
  link: string;
  name: string;
  assignee: { avatar: string; name: string } | undefined;
  priority: { icon: string; title: string } | undefined;
  status: { title: string; color: string; lozenge: IssueLozenge; icon: string };
}

export type IssueLozenge = 'default' | 'success' | 'inprogress';

/** The tracker's status category colours; others are shown as the default. */
const lozenges: Record<string, IssueLozenge> = { 'blue-gray': 'default', green: 'success', yellow: 'inprogress' };

const issueShape = v.object({
  id: v.string(),
  key: v.string(),
  fields: v.object({
    summary: v.string(),
    assignee: v.nullish(v.object({ displayName: v.string(), avatarUrls: v.record(v.string(), v.string()) })),
    priority: v.nullish(v.object({ name: v.string(), iconUrl: v.string() })),
    status: v.object({ name: v.string(), statusCategory: v.object({ colorName: v.string() }) }),
    issuetype: v.object({ iconUrl: v.string() }),
  }),
});

/** Reads an issue of the tracker's REST API with the fields above; `undefined` for invalid data. */
export function parseIssue(value: unknown): IssueSummary | undefined {
  const parsed = readAs(issueShape, value);
  if (!parsed) return undefined;
  const { id, key, fields } = parsed;
  const color = fields.status.statusCategory.colorName;
  return {
    id,
    key,
    link: issuePath(key),
    name: fields.summary,
    assignee: fields.assignee
      ? { avatar: fields.assignee.avatarUrls['16x16'] ?? '', name: fields.assignee.displayName }
      : undefined,
    priority: fields.priority ? { icon: fields.priority.iconUrl, title: fields.priority.name } : undefined,
    status: {
      title: fields.status.name,
      color,
      lozenge: lozenges[color] ?? 'default',
      icon: fields.issuetype.iconUrl,
    },
  };
}

/** An issue in a list of issues. */
export interface IssueLine {
  id: string;
  key: string;
  summary: string;
  /** `color` is the tracker's name of the category's color. */
  status: { name: string; color: string };
  type: { name: string; icon: string };
  project: { id: string; name: string };
}

/** The fields that a line is read from. */
export const lineFields = ['summary', 'status', 'issuetype', 'project'] as const;

/** Reads an issue of the tracker's REST API with these fields; `undefined` for invalid data. */
export function parseLine(value: unknown): IssueLine | undefined {
  // In here, since few pages need it, and none before its rows.
  const shape = v.object({
    id: v.string(),
    key: v.string(),
    fields: v.object({
      summary: v.nullish(v.string()),
      status: v.object({ name: v.string(), statusCategory: v.object({ colorName: v.string() }) }),
      issuetype: v.object({ name: v.string(), iconUrl: v.string() }),
      project: v.object({ id: v.string(), name: v.string() }),
    }),
  });
  const parsed = readAs(shape, value);
  if (!parsed) return undefined;
  const { id, key, fields } = parsed;
  const { summary, status, issuetype, project } = fields;
  return {
    ...{ id, key, summary: summary ?? '', project },
    status: { name: status.name, color: status.statusCategory.colorName },
    type: { name: issuetype.name, icon: issuetype.iconUrl },
  };
}
