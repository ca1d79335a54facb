import * as z from 'zod/mini';
import { issuePath } from './pages.ts';

/** An issue as chips and lists show it (spec §3). */
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

/** The tracker's status category colours; any other is shown as the default. */
const lozenges: Record<string, IssueLozenge> = { 'blue-gray': 'default', green: 'success', yellow: 'inprogress' };

const issueShape = z.object({
  id: z.string(),
  key: z.string(),
  fields: z.object({
    summary: z.string(),
    assignee: z.nullish(z.object({ displayName: z.string(), avatarUrls: z.record(z.string(), z.string()) })),
    priority: z.nullish(z.object({ name: z.string(), iconUrl: z.string() })),
    status: z.object({ name: z.string(), statusCategory: z.object({ colorName: z.string() }) }),
    issuetype: z.object({ iconUrl: z.string() }),
  }),
});

/** Reads an issue of the tracker's REST API with the fields above; `undefined` when it is none. */
export function parseIssue(value: unknown): IssueSummary | undefined {
  const parsed = issueShape.safeParse(value);
  if (!parsed.success) return undefined;
  const { id, key, fields } = parsed.data;
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
