import { type KeyboardEvent, memo, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { AssignedIssue, AssignedItem } from '../../../client/assigned.ts';
import type { Change } from '../../../client/changes.ts';
import { failures } from '../../../domain/messages.ts';
import { issuePath } from '../../../domain/pages.ts';
import type { Status } from '../../../domain/statuses.ts';
import { inlineOf } from '../../../text/inline.ts';
import { readChecklist } from '../../../text/read.ts';
import { builtIn } from '../../../text/status-registry.ts';
import type { CheckboxRow, Checklist } from '../../../text/types.ts';
import { Inline } from '../../checklist/inline/inline.tsx';
import { isOwnKey } from '../../checklist/list/list-dom.ts';
import { pressRow } from '../../checklist/list/list-keys.ts';
import { ItemRow } from '../../checklist/row/row.tsx';
import { rowPermissions } from '../../checklist/row/row-parts.tsx';
import { openPart, type Part } from '../../checklist/row/use-open-part.ts';
import type { Actions, RowActions, SaveTyped } from '../../model/checklist/use-actions.ts';
import { failureText } from '../../model/checklist/use-checklist.ts';
import { type Line, lineOf } from '../../model/rows/row-segments.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import { useNotify, useServices, useUser } from '../../shell/services/services.ts';
import { type OpenIssues, useOpenIssues } from './open-issues.tsx';

interface Props {
  item: AssignedItem;
  issue: AssignedIssue;
  /** 0-based position in the list. */
  place: number;
  tab: 0 | -1;
  /** Whether the row shows its issue, since its heading does not. */
  showsIssue: boolean;
  /** Whether the row shows its section: in an issue's list the first one of it does. */
  showsSection: boolean;
}

/** A row's checklist is preloaded after this time of hovering. */
const HOVER_DELAY_MS = 80;

/** No moving and adding: the checklist's other rows are not listed. */
const noList = { current: undefined };

const nothing: Checklist = readChecklist('', builtIn);

/** Parses an item of the server as a row. */
function readRow({ text, mandatory, status }: AssignedItem): { row: CheckboxRow; line: Line } | undefined {
  const checklist = readChecklist(`- ${mandatory ? '! ' : ''}${text}`, builtIn);
  const [row] = checklist.rows;
  return row?.kind === 'checkbox' ? { row: { ...row, status }, line: lineOf(checklist, 0, row) } : undefined;
}

interface ItemContext {
  issues: OpenIssues;
  issue: AssignedIssue;
  item: AssignedItem;
  /** Shows an optimistic status; `undefined` shows the checklist's. */
  show(status: Status | undefined): void;
  /** Called with each failure to open the checklist, and with `undefined` at the next command. */
  onFailure(error: unknown): void;
}

/** An item's commands, as in its issue's panel. They wait until its checklist is open; a status shows at once. */
function actionsOf({ issues, issue, item, show, onFailure }: ItemContext): RowActions {
  const currentIssue = () => issues.get().get(issue.id);
  const rowNow = async () => {
    const { actions, find } = await issues.opened(issue);
    const foundRow = find(item);
    return typeof foundRow === 'object' ? { actions, row: foundRow.row } : undefined;
  };
  const act = (run: (actions: Actions, row: CheckboxRow) => void, slug?: string) => {
    issues.touch(item);
    onFailure(undefined);
    show(slug === undefined ? undefined : builtIn.bySlug(slug));
    rowNow()
      .then(found => found && run(found.actions, found.row), onFailure)
      .finally(() => show(undefined));
  };
  const setStatus = (slug: string) => act((actions, row) => actions.setStatus(row, slug), slug);
  /** Ids of changes by the ids that `saveDeferred` returned for them. */
  const changeIds = new Map<string, string>();
  /** Makes a change once the checklist is open. */
  const deferred = (make: (actions: Actions, row: CheckboxRow) => Change | undefined): Change => {
    const id = crypto.randomUUID();
    const outcome = rowNow().then(found => {
      const change = found && make(found.actions, found.row);
      if (!change) throw new Error(failures.updateChecklist);
      changeIds.set(id, change.id);
      return change.outcome;
    });
    return { id, outcome };
  };
  /** Saves an edit that was started before the checklist was open. */
  const saveDeferred: SaveTyped = values => deferred((actions, row) => actions.edit(row)?.(values));
  return {
    issueId: issue.id,
    toggle: shown => setStatus(shown.status.checked ? 'todo' : 'done'),
    setStatus: (_, slug) => setStatus(slug),
    removeAll: () => act((actions, row) => actions.removeAll([row])),
    assign: (_, accountId) => act((actions, row) => actions.assign([row], accountId)),
    // Its rows are items.
    setSection: () => undefined,
    setMandatory: (_, mandatory) => act((actions, row) => actions.setMandatory([row], mandatory)),
    setDueDate: (_, day, words) => act((actions, row) => actions.setDueDate([row], day, words)),
    convert: (_, options) => deferred((actions, row) => actions.convert(row, options)),
    edit: row => {
      issues.keep(item);
      const save = currentIssue()?.actions.edit(row) ?? saveDeferred;
      return values => {
        issues.touch(item);
        return save(values);
      };
    },
    discard: id => currentIssue()?.actions.discard(changeIds.get(id) ?? id),
    latest: () => currentIssue()?.actions.latest() ?? nothing,
  };
}

/** A header's text, without markup. */
function Section({ text }: { text: string }) {
  const segments = useMemo(() => inlineOf(readChecklist(`# ${text}`, builtIn), 0), [text]);
  return (
    <span dir="auto">
      <span className="check-hidden">Section: </span>
      <Inline segments={segments} />
    </span>
  );
}

/** An assigned item, in the same row as in its issue's panel. */
export const AssignedRow = memo(function AssignedRow({ item, issue, place, tab, showsIssue, showsSection }: Props) {
  const issues = useOpenIssues();
  const notify = useNotify();
  const services = useServices();
  const user = useUser();
  const open = useSyncExternalStore(issues.subscribe, () => issues.get().get(issue.id));
  const initial = useMemo(() => readRow(item), [item]);
  const [optimistic, show] = useState<Status | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const actions = useMemo(() => {
    const onFailure = (error: unknown) => {
      const words = error === undefined ? undefined : failureText(error);
      setFailure(words);
      if (words !== undefined) notify(words, 'error');
    };
    return actionsOf({ issues, issue, item, show, onFailure });
  }, [issues, issue, item, notify]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const foundRow = open?.find(item);
  if (foundRow === 'gone') return null;
  const model = open?.view?.model;
  const shown = foundRow && model ? { row: foundRow.row, line: lineOf(model, foundRow.index, foundRow.row) } : initial;
  if (!shown) return null;
  const may = rowPermissions({ ...issue.permissions, canAddChecklistItems: false }, 1);
  const row = optimistic ? { ...shown.row, status: optimistic } : shown.row;
  const prepare = () => issues.open(issue);
  const press = (event: KeyboardEvent<HTMLLIElement>) => {
    if (!isOwnKey(event)) return;
    const open = (part: Part) => openPart(event.currentTarget, part);
    if (pressRow(event, { row, rows: [row], may, user, actions, services, open })) event.preventDefault();
  };
  return (
    <li
      data-key={place}
      data-issue={issue.id}
      onPointerEnter={() => {
        timer.current = setTimeout(prepare, HOVER_DELAY_MS);
      }}
      onPointerLeave={() => clearTimeout(timer.current)}
      onPointerDown={prepare}
      onFocus={prepare}
      onKeyDown={press}
    >
      {showsSection && !showsIssue && item.section !== null ? (
        <p className="assigned-section">
          <Section text={item.section} />
        </p>
      ) : null}
      <ItemRow row={row} line={shown.line} actions={actions} list={noList} tab={tab} {...may} />
      {failure === undefined ? null : (
        <p className="check-error" role="alert">
          {failure}
        </p>
      )}
      {showsIssue ? (
        <p className="assigned-where">
          <TrackerLink path={issuePath(issue.key)}>{issue.key}</TrackerLink> <span dir="auto">{issue.summary}</span>
          {item.section === null ? null : (
            <>
              <span aria-hidden="true"> › </span>
              <Section text={item.section} />
            </>
          )}
        </p>
      ) : null}
    </li>
  );
});
