import { memo, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { AssignedIssue, AssignedItem } from '../../client/assigned.ts';
import { failures } from '../../domain/messages.ts';
import { issuePath } from '../../domain/pages.ts';
import type { Status } from '../../domain/statuses.ts';
import { readChecklist } from '../../text/read.ts';
import { builtIn } from '../../text/statuses.ts';
import type { CheckboxRow, Checklist } from '../../text/types.ts';
import { ItemRow } from '../checklist/row/row.tsx';
import type { RowTools } from '../checklist/row/row-tools.tsx';
import type { Actions, RowActions, SaveTyped } from '../model/checklist/use-actions.ts';
import { failureText } from '../model/checklist/use-checklist.ts';
import { type Line, lineOf } from '../model/rows/row-segments.ts';
import { TrackerLink } from '../shell/navigation/tracker-link.tsx';
import { useNotify } from '../shell/services/services.ts';
import { type OpenIssues, useOpenIssues } from './open-issues.tsx';

interface Props {
  item: AssignedItem;
  issue: AssignedIssue;
  /** Of the row in the list, from 0 on. */
  place: number;
  tab: 0 | -1;
  /** The issue is told at the row, since no heading does. */
  told: boolean;
}

/** Milliseconds that a pointer rests on a row before its checklist is fetched. */
const REST = 80;

/** No other rows of its checklist are here to put it between. */
const tools: RowTools = { addBelow: () => undefined, fold: () => undefined, moveTo: () => undefined };

const nothing: Checklist = readChecklist('', builtIn);

/** A row of the server's words, as the list of its issue would read it. */
function readRow({ text, mandatory, status }: AssignedItem): { row: CheckboxRow; line: Line } | undefined {
  const checklist = readChecklist(`- ${mandatory ? '! ' : ''}${text}`, builtIn);
  const [row] = checklist.rows;
  return row?.kind === 'checkbox' ? { row: { ...row, status }, line: lineOf(checklist, 0, row) } : undefined;
}

interface Asking {
  issues: OpenIssues;
  issue: AssignedIssue;
  item: AssignedItem;
  /** Shows a status that is not set yet. */
  show(status: Status | undefined): void;
  onFailure(error: unknown): void;
}

/**
 * What can be asked of an item: the same as in its issue's panel. What is asked before its checklist is open waits for
 * that; a status shows at once.
 */
function actionsOf({ issues, issue, item, show, onFailure }: Asking): RowActions {
  const now = () => issues.get().get(issue.id);
  const rowNow = async () => {
    const { actions, find } = await issues.opened(issue);
    const found = find(item);
    return typeof found === 'object' ? { actions, row: found.row } : undefined;
  };
  const act = (work: (actions: Actions, row: CheckboxRow) => void, slug?: string) => {
    issues.touch(item);
    show(slug === undefined ? undefined : builtIn.bySlug(slug));
    rowNow()
      .then(found => found && work(found.actions, found.row), onFailure)
      .finally(() => show(undefined));
  };
  const setStatus = (slug: string) => act((actions, row) => actions.setStatus(row, slug), slug);
  /** The changes that were asked for early, by the ids under which they are known here. */
  const made = new Map<string, string>();
  const late: SaveTyped = values => {
    const id = crypto.randomUUID();
    const outcome = rowNow().then(found => {
      const change = found?.actions.edit(found.row)?.(values);
      if (!change) throw new Error(failures.updateChecklist);
      made.set(id, change.id);
      return change.outcome;
    });
    return { id, outcome };
  };
  return {
    toggle: shown => setStatus(shown.status.checked ? 'todo' : 'done'),
    setStatus: (_, slug) => setStatus(slug),
    remove: () => act((actions, row) => actions.remove(row)),
    assign: (_, accountId) => act((actions, row) => actions.assign([row], accountId)),
    setMandatory: (_, mandatory) => act((actions, row) => actions.setMandatory(row, mandatory)),
    setDueDate: (_, day) => act((actions, row) => actions.setDueDate(row, day)),
    convert: (_, to) => act((actions, row) => actions.convert(row, to)),
    edit: row => {
      issues.keep(item);
      const save = now()?.actions.edit(row) ?? late;
      return values => {
        issues.touch(item);
        return save(values);
      };
    },
    takenBack: id => now()?.actions.takenBack(made.get(id) ?? id),
    latest: () => now()?.actions.latest() ?? nothing,
  };
}

/** An item of mine in the same row as in its issue's panel. */
export const AssignedRow = memo(function AssignedRow({ item, issue, place, tab, told }: Props) {
  const issues = useOpenIssues();
  const notify = useNotify();
  const open = useSyncExternalStore(issues.subscribe, () => issues.get().get(issue.id));
  const written = useMemo(() => readRow(item), [item]);
  const [early, show] = useState<Status | undefined>(undefined);
  const actions = useMemo(
    () => actionsOf({ issues, issue, item, show, onFailure: error => notify(failureText(error), 'error') }),
    [issues, issue, item, notify],
  );
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const found = open?.find(item);
  if (found === 'gone') return null;
  const model = open?.view?.model;
  const shown = found && model ? { row: found.row, line: lineOf(model, found.index, found.row) } : written;
  if (!shown) return null;
  const may = issue.permissions;
  const prepare = () => issues.open(issue);
  return (
    <li
      data-key={place}
      data-issue={issue.id}
      onPointerEnter={() => {
        timer.current = setTimeout(prepare, REST);
      }}
      onPointerLeave={() => clearTimeout(timer.current)}
      onPointerDown={prepare}
      onFocus={prepare}
    >
      <ItemRow
        row={early ? { ...shown.row, status: early } : shown.row}
        line={shown.line}
        actions={actions}
        tools={tools}
        tab={tab}
        canMove={false}
        canAdd={false}
        canChangeStatus={may.canChangeItemStatuses}
        canDelete={may.canDeleteChecklistItems}
        canEdit={may.canEditChecklist}
      />
      {told ? (
        <p className="assigned-where">
          <TrackerLink path={issuePath(issue.key)}>{issue.key}</TrackerLink> <span dir="auto">{issue.summary}</span>
        </p>
      ) : null}
    </li>
  );
});
