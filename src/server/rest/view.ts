import { revisionOf } from '../../domain/api/revision.ts';
import type { ApiChecklist, ApiRow } from '../../domain/api/schemas.ts';
import { progressOf } from '../../text/progress.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import type { Row } from '../../text/types.ts';
import type { AppIssue } from '../checklists/app/issue.ts';
import type { ChecklistView } from '../checklists/types.ts';
import { readText } from '../common/reading.ts';

function rowView(row: Row, index: number, id: string | undefined): ApiRow {
  const { text, words, details, mentions, issueKeys } = row;
  const common = {
    ...{ index, id: id ?? null, text, words },
    details: details.map(detail => detail.text),
    ...{ mentions: [...mentions], issueKeys: [...issueKeys] },
  };
  if (row.kind === 'header') return { kind: 'header', level: row.level, ...common };
  const { status, mandatory, assignee = null, dueDate = null } = row;
  return {
    kind: 'checkbox',
    ...common,
    ...{ status: status.slug, checked: status.checked, mandatory, assignee, dueDate },
  };
}

export const issueView = ({ id, key, project }: { id: string; key: string | null; project: string | null }) => ({
  ...{ id, key, projectId: project },
});

/** A checklist as rows and as text. */
export function checklistView(
  issue: AppIssue,
  { epoch, seq, hash, name, text, rowIds }: ChecklistView,
  statuses: StatusRegistry,
): Omit<ApiChecklist, 'statuses' | 'notices'> {
  const { rows } = readText(text, statuses);
  return {
    issue: issueView(issue),
    revision: revisionOf({ epoch, seq, hash }),
    ...{ name, text },
    rows: rows.map((row, index) => rowView(row, index, rowIds[index])),
    progress: progressOf(rows),
  };
}

export const statusesView = ({ list }: StatusRegistry): ApiChecklist['statuses'] =>
  list.map(({ slug, name, checked, color }) => ({ slug, name, checked, color }));
