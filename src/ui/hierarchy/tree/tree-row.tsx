import ChevronDownIcon from '@atlaskit/icon/core/chevron-down';
import ChevronRightIcon from '@atlaskit/icon/core/chevron-right';
import { memo, useLayoutEffect, useRef } from 'react';
import type { TreeIssue } from '../../../client/hierarchy/issue.ts';
import type { Counts, RollUp } from '../../../client/hierarchy/tree.ts';
import { Avatar } from '../../kit/avatar.tsx';
import { TrackerLink } from '../../shell/navigation/tracker-link.tsx';
import type { TreeRow } from './tree-rows.ts';

/** What can be asked of a row. */
export interface RowDoing {
  toggle(row: TreeRow): void;
  /** Opens or closes the checklist. */
  work(row: TreeRow): void;
  /** Goes to where the issue stands that is only named here. */
  find(row: TreeRow): void;
  /** Applies a template to what is below it. */
  apply(issue: TreeIssue): void;
}

interface Props extends RowDoing {
  row: TreeRow;
  /** There is room for two short lines, not for one long one. */
  narrow: boolean;
  /** From 1 on, the header counted. */
  at: number;
  active: boolean;
  /** The issue that the tree was asked for. */
  focus: boolean;
  /** Of its own checklist; `null` where that is not to be seen, `undefined` where it is not known. */
  counts: Counts | null | undefined;
  /** Of all that is below it, where something is. */
  rollUp: RollUp | undefined;
  /** The checklist is open below it. */
  working: boolean;
  /** What is below it is being read. */
  growing: boolean;
}

/** Levels that stand in, each more than the one above, and pixels by which they do. */
const DEEPEST = 8;
const STEP = 20;
const STEP_NARROW = 12;
/** Pixels of what opens a row. */
const TOGGLE = 24;

/** An issue of the tree: what it is, how far its own checklist is, and what its branch comes to. */
export const IssueRow = memo(function IssueRow(props: Props) {
  const { row, narrow, at, active, focus, counts, rollUp, working, growing, toggle, work, find, apply } = props;
  const { path, issue, level, relation, expandable, expanded, repeated, position, size } = row;
  const { key, name, type, status, assignee } = issue;
  const indent = Math.min(level - 1, DEEPEST) * (narrow ? STEP_NARROW : STEP);
  const element = useRef<HTMLTableRowElement>(null);
  // One stop for the Tab key, and what is in the row that has it.
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
            aria-label={`${expanded ? 'Close' : 'Open'} ${key}`}
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
        {focus ? <span className="check-hidden">, the issue that this is about</span> : null}
        {growing ? <span className="tree-note">Loading…</span> : null}
      </td>
      <td className="tree-status" style={narrow ? { paddingInlineStart: indent + TOGGLE } : undefined}>
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
          <span className="tree-nobody">Unassigned</span>
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
            <Own issue={issue} counts={counts} working={working} onWork={() => work(row)} />
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
  working: boolean;
  onWork(): void;
}

/** How far the issue's own checklist is, and the way into it. */
function Own({ issue: { key }, counts, working, onWork }: OwnProps) {
  if (counts === undefined) return <span className="tree-wait" aria-hidden="true" />;
  if (counts === null) return <span className="tree-nobody">Not visible</span>;
  const { checked, total } = counts;
  return (
    <button type="button" className="tree-work" aria-expanded={working} onClick={onWork}>
      <Bar checked={checked} total={total} />
      <span className="tree-figure">{total === 0 ? '–' : `${checked}/${total}`}</span>{' '}
      <span className="check-hidden">
        {total === 0 ? 'No items' : 'done'}, checklist of {key}
      </span>
    </button>
  );
}

/** The share of what is done. It stands beside the figures, which say the same. */
const Bar = ({ checked, total }: Pick<Counts, 'checked' | 'total'>) => (
  <span className="tree-bar" aria-hidden="true">
    <span style={{ width: `${total === 0 ? 0 : (checked * 100) / total}%` }} />
  </span>
);

/** What the issue and all below it come to. */
function Branch({ issue: { key }, rollUp, onApply }: { issue: TreeIssue; rollUp: RollUp; onApply(): void }) {
  const { issues, unknown, changeable, total, checked, mandatoryOpen } = rollUp;
  if (unknown === issues) return <span className="tree-wait" aria-hidden="true" />;
  const words = `${issues} issues: ${checked} of ${total} done, ${mandatoryOpen} mandatory open`;
  return (
    <>
      <span className="tree-sum" title={unknown > 0 ? `${words}; ${unknown} of them not read or not visible` : words}>
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
