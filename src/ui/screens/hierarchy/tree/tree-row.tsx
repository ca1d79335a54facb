import ChevronDownIcon from '@atlaskit/icon/core/chevron-down';
import ChevronRightIcon from '@atlaskit/icon/core/chevron-right';
import { memo, useLayoutEffect, useRef } from 'react';
import type { TreeIssue } from '../../../../client/hierarchy/issue.ts';
import type { Counts, RollUp } from '../../../../client/hierarchy/tree.ts';
import { chips as words } from '../../../../domain/messages.ts';
import { Avatar } from '../../../model/people.tsx';
import { TrackerLink } from '../../../shell/navigation/links.tsx';
import type { TreeRow } from './tree-rows.ts';

/** A row's commands. */
export interface TreeRowActions {
  toggle(row: TreeRow): void;
  /** Opens or closes the checklist. */
  toggleChecklist(row: TreeRow): void;
  /** Focuses the row that shows a repeated issue. */
  find(row: TreeRow): void;
  /** Opens the form to apply a template to the branch. */
  apply(issue: TreeIssue): void;
}

interface Props extends TreeRowActions {
  row: TreeRow;
  /** Two lines instead of one. */
  narrow: boolean;
  /** 1-based, including the header. */
  at: number;
  active: boolean;
  /** The issue whose hierarchy this is. */
  focus: boolean;
  /** Of its own checklist; `null` if not visible to the user, `undefined` if not loaded. */
  counts: Counts | null | undefined;
  /** Of the branch; `undefined` for a leaf. */
  rollUp: RollUp | undefined;
  /** Its checklist is open. */
  checklistOpen: boolean;
  /** Its children are loading. */
  growing: boolean;
}

/** Indentation per level, up to the deepest indented level. */
const MAX_INDENTED_LEVELS = 8;
const INDENT_PX = 20;
const NARROW_INDENT_PX = 12;
const TOGGLE_WIDTH_PX = 24;

/** An issue's row: summary, its checklist's progress and the branch's totals. */
export const IssueRow = memo(function IssueRow(props: Props) {
  const {
    row,
    narrow,
    at,
    active,
    focus,
    counts,
    rollUp,
    checklistOpen,
    growing,
    toggle,
    toggleChecklist,
    find,
    apply,
  } = props;
  const { path, issue, level, relation, expandable, expanded, repeated, position, size } = row;
  const { key, name, type, status, priority, assignee } = issue;
  const indent = Math.min(level - 1, MAX_INDENTED_LEVELS) * (narrow ? NARROW_INDENT_PX : INDENT_PX);
  const element = useRef<HTMLTableRowElement>(null);
  // Roving tabindex: the active row, and its links and buttons.
  useLayoutEffect(() => {
    for (const stop of element.current?.querySelectorAll<HTMLElement>('a, button') ?? [])
      stop.tabIndex = active && !stop.matches('.tree-toggle') ? 0 : -1;
  });
  return (
    <tr
      ref={element}
      className="tree-row"
      data-path={path}
      data-here={focus || undefined}
      tabIndex={active ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-rowindex={at}
      aria-expanded={expandable ? expanded : undefined}
      aria-current={focus || undefined}
    >
      <td className="tree-name" style={{ paddingInlineStart: indent }}>
        {expandable ? (
          <button
            type="button"
            className="tree-toggle"
            aria-label={`${expanded ? 'Collapse' : 'Expand'} ${key}`}
            onClick={() => toggle(row)}
          >
            {expanded ? <ChevronDownIcon label="" /> : <ChevronRightIcon label="" />}
          </button>
        ) : (
          <span className="tree-toggle" />
        )}
        {relation === undefined ? null : <span className="tree-relation">{relation}</span>}
        <img className="check-issue-icon" src={status.icon} alt={type} title={type} />
        <TrackerLink path={issue.link}>{key}</TrackerLink>
        <span className="tree-summary" dir="auto" title={name}>
          {name}
        </span>
        {focus ? <span className="check-hidden">, the selected issue</span> : null}
        {growing ? <span className="tree-note">Loading…</span> : null}
      </td>
      <td className="tree-status" style={narrow ? { paddingInlineStart: indent + TOGGLE_WIDTH_PX } : undefined}>
        {priority ? (
          <img
            className="check-issue-icon"
            src={priority.icon}
            alt={words.priority(priority.title)}
            title={words.priority(priority.title)}
          />
        ) : null}
        <span className={`check-status check-status-${status.lozenge}`} title={status.title}>
          {status.title}
        </span>
      </td>
      <td className="tree-person">
        {assignee ? (
          <>
            <Avatar picture={assignee.avatar} name={assignee.name} />
            <span className="tree-person-name" title={assignee.name}>
              {assignee.name}
            </span>
          </>
        ) : (
          <span className="tree-none">Unassigned</span>
        )}
      </td>
      {repeated ? (
        <td className="tree-elsewhere" colSpan={3}>
          <button type="button" className="check-send" onClick={() => find(row)}>
            In this tree: show
          </button>
        </td>
      ) : (
        <>
          <td className="tree-own">
            <Own issue={issue} counts={counts} open={checklistOpen} onToggle={() => toggleChecklist(row)} />
          </td>
          <td className="tree-mandatory">
            {counts && counts.mandatoryOpen > 0 ? (
              <span className="tree-must">
                {counts.mandatoryOpen} <span className="tree-must-word">mandatory</span>
                <span className="check-hidden"> open</span>
              </span>
            ) : (
              <span className="check-hidden">No mandatory items open</span>
            )}
          </td>
          <td className="tree-branch">
            {rollUp ? <Branch issue={issue} rollUp={rollUp} onApply={() => apply(issue)} /> : null}
          </td>
        </>
      )}
    </tr>
  );
});

interface OwnProps {
  issue: TreeIssue;
  counts: Counts | null | undefined;
  open: boolean;
  onToggle(): void;
}

/** The progress of the issue's checklist; opens it. */
function Own({ issue: { key }, counts, open, onToggle }: OwnProps) {
  if (counts === undefined) return <span className="tree-wait" aria-hidden="true" />;
  if (counts === null) return <span className="tree-none">Not visible</span>;
  const { checked, total } = counts;
  return (
    <button type="button" className="tree-progress" aria-expanded={open} onClick={onToggle}>
      <Bar checked={checked} total={total} />
      <span className="tree-figure">{total === 0 ? '–' : `${checked}/${total}`}</span>{' '}
      <span className="check-hidden">
        {total === 0 ? 'No items' : 'done'}, checklist of {key}
      </span>
    </button>
  );
}

/** A progress bar, hidden from screen readers: the figures are beside it. */
const Bar = ({ checked, total }: Pick<Counts, 'checked' | 'total'>) => (
  <span className="tree-bar" aria-hidden="true">
    <span style={{ width: `${total === 0 ? 0 : (checked * 100) / total}%` }} />
  </span>
);

/** The totals of the issue and its branch. */
function Branch({ issue: { key }, rollUp, onApply }: { issue: TreeIssue; rollUp: RollUp; onApply(): void }) {
  const { issues, unknown, changeable, total, checked, mandatoryOpen } = rollUp;
  if (unknown === issues) return <span className="tree-wait" aria-hidden="true" />;
  const words = `${issues} issues: ${checked} of ${total} done, ${mandatoryOpen} mandatory open`;
  return (
    <>
      <span className="tree-sum" title={unknown > 0 ? `${words}; ${unknown} of them not loaded or not visible` : words}>
        <Bar checked={checked} total={total} />
        <span className="tree-figure">
          <span className="check-hidden">With all below it: </span>
          {checked}/{total}
        </span>
        {mandatoryOpen > 0 ? (
          <span className="tree-must">
            {mandatoryOpen}
            <span className="check-hidden"> mandatory open</span>
          </span>
        ) : null}
      </span>
      {changeable > 0 ? (
        <button type="button" className="check-tool tree-apply" onClick={onApply}>
          Apply…<span className="check-hidden"> a template below {key}</span>
        </button>
      ) : null}
    </>
  );
}
