import { revisionOf } from '../../../domain/api/revision.ts';
import type { ApiChecklist, ApiRow } from '../../../domain/api/schemas.ts';
import type { RegistryStatus } from '../../../domain/statuses.ts';
import { progressOf } from '../../../text/progress.ts';
import type { Row } from '../../../text/types.ts';
import type { AppIssue } from '../../checklists/service/issue.ts';
import type { ChecklistView } from '../../checklists/service/types.ts';
import { readText, registryBy } from '../../text-workers/reading.ts';
import { type RunTask, textTask } from '../../text-workers/task.ts';

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

interface Shown extends Pick<ChecklistView, 'text' | 'rowIds'> {
  statuses: readonly RegistryStatus[];
}

/** Makes the rows and the progress of a checklist. */
export const rowsView = textTask({
  name: 'api-rows',
  run({ text, rowIds, statuses }: Shown) {
    const { rows } = readText(text, registryBy(statuses));
    return { rows: rows.map((row, index) => rowView(row, index, rowIds[index])), progress: progressOf(rows) };
  },
  charactersOf: ({ text }) => text.length,
});

/** A checklist as rows and as text. */
export async function checklistView(
  run: RunTask,
  issue: AppIssue,
  { epoch, seq, hash, name, text, rowIds }: ChecklistView,
  statuses: readonly RegistryStatus[],
): Promise<Omit<ApiChecklist, 'statuses' | 'notices'>> {
  return {
    issue: issueView(issue),
    revision: revisionOf({ epoch, seq, hash }),
    ...{ name, text },
    ...(await run(rowsView, { text, rowIds, statuses })),
  };
}

export const statusesView = (statuses: readonly RegistryStatus[]): ApiChecklist['statuses'] =>
  registryBy(statuses).list.map(({ slug, name, checked, color }) => ({ slug, name, checked, color }));
