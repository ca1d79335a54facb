import ChevronDownIcon from '@atlaskit/icon/core/chevron-down';
import type { ComponentProps, RefObject } from 'react';
import { builtInStatuses, lozengeOf, type Status, statusPath } from '../../../domain/statuses.ts';
import type { User } from '../../../domain/user.ts';
import type { Segment } from '../../../text/inline.ts';
import type { CheckboxRow, HeaderRow, Progress, Row } from '../../../text/types.ts';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import type { Line } from '../../model/rows/row-segments.ts';
import { Inline } from '../inline/inline.tsx';
import type { ListContext } from '../list/list-moves.ts';
import './row.css';
import './status.css';

export interface RowPermissions {
  canMove: boolean;
  canAdd: boolean;
  canChangeStatus: boolean;
  canDelete: boolean;
  canEdit: boolean;
}

type Permissions = 'canAddChecklistItems' | 'canChangeItemStatuses' | 'canDeleteChecklistItems' | 'canEditChecklist';

/** The permissions of a user for the rows of a list of that length. */
export const rowPermissions = (user: Pick<User, Permissions>, rows: number): RowPermissions => ({
  canMove: user.canEditChecklist && rows > 1,
  canAdd: user.canAddChecklistItems,
  canChangeStatus: user.canChangeItemStatuses,
  canDelete: user.canDeleteChecklistItems,
  canEdit: user.canEditChecklist,
});

interface ListedProps {
  /** The state of the list around the row; empty on screens that show single rows. */
  list: RefObject<ListContext | undefined>;
  /** 0 for the list's one tab stop (roving tabindex). */
  tab: 0 | -1;
}

export interface RowProps<Kind extends Row = Row> extends ListedProps, RowPermissions {
  row: Kind;
  /** The row's text and details as segments. */
  line: Line;
  actions: RowActions;
}

/** A row's details as text. */
export const detailsOf = (row: Row): string => row.details.map(({ text }) => text).join('\n');

/** The drag handle. By keyboard, Alt and the arrow keys move the row. */
export const Handle = ({ shown }: { shown: boolean }) =>
  shown ? <span className="check-handle" aria-hidden="true" /> : null;

interface FoldProps extends ListedProps {
  row: Row;
  folded: boolean;
}

/** Opens and closes a section. */
export const Fold = ({ row, list, tab, folded }: FoldProps) => (
  <button
    type="button"
    className="check-fold"
    data-main
    tabIndex={tab}
    aria-expanded={!folded}
    aria-label={`Section ${row.words}`}
    onClick={() => {
      const { current } = list;
      current?.onFold(current.checklist, current.checklist.rows.indexOf(row), !folded);
    }}
  >
    <ChevronDownIcon label="" />
  </button>
);

/** The accessible name of a row without text. */
export const unnamed = 'empty item';

export const itemClass = ({ slug, checked }: Status): string =>
  `check-row check-is-${slug.replaceAll('_', '-')}${checked ? ' check-checked' : ''}`;

export const statusClass = ({ color }: Status): string => `check-status check-status-${lozengeOf[color]}`;

/** ISO due date of an item, if it is not completed. */
export const openDueDate = ({ status, dueDate }: CheckboxRow): string | undefined =>
  status.checked ? undefined : dueDate;

/** Whether the checkbox alone says the status: boxes have a picture each, other statuses also show their names. */
export const isPictured = ({ slug }: Status): boolean => builtInStatuses.some(status => status.slug === slug);

/** The picture of a status. */
export const StatusIcon = ({ status }: { status: Status }) => (
  <svg className={`status-icon status-icon-${status.color}`} viewBox="0 0 16 16" aria-hidden="true">
    <path d={statusPath(status)} />
  </svg>
);

/** An item's checkbox as the picture of its status. The kit's has two pictures, and its colours are not the status's. */
export const Tick = ({ status, ...rest }: { status: Status } & ComponentProps<'input'>) => (
  <span className="check-tick" title={status.name}>
    <input
      {...rest}
      ref={box => {
        if (box) box.indeterminate = status.slug === 'in_progress';
      }}
      type="checkbox"
      aria-description={status.name}
      checked={status.checked}
    />
    <StatusIcon status={status} />
  </span>
);

interface ItemTextProps {
  row: CheckboxRow;
  id: string;
  segments: Line['text'];
}

/** An item's text with its mandatory mark. */
export const ItemText = ({ row, id, segments }: ItemTextProps) => (
  <span id={id} className="check-text" dir="auto">
    {row.mandatory ? (
      <span className="check-mandatory" title="Mandatory">
        <span aria-hidden="true">!</span>
        <span className="check-hidden">Mandatory: </span>
      </span>
    ) : null}
    {row.text === '' ? (
      <span className="check-hidden">{unnamed}</span>
    ) : (
      <Inline segments={segments} due={openDueDate(row)} />
    )}
  </span>
);

export const headerClass = ({ level }: HeaderRow): string => `check-row check-section check-level-${level}`;

/** Below the heading of the page or dialog. */
const levels = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

/** A header's words. */
export function Title({ row, line }: { row: HeaderRow; line: Line }) {
  const Level = levels[row.level - 1] ?? 'h6';
  return (
    <Level className="check-title" dir="auto">
      <Inline segments={line.words} />
    </Level>
  );
}

/** A section's progress. */
export const SectionCount = ({ checked, total }: Pick<Progress, 'checked' | 'total'>) =>
  total > 0 ? (
    <span className="check-count">
      <span aria-hidden="true">
        {checked}/{total}
      </span>
      <span className="check-hidden">
        {checked} of {total} done
      </span>
    </span>
  ) : null;

interface Block {
  kind: 'p' | 'ul' | 'ol';
  lines: { segments: readonly Segment[]; number?: number; indent: number }[];
}

const bullet = /^([ \t]*)(?:[-*+•]|(\d{1,4})[.)])[ \t]+/;

/** Lines of details as paragraphs and lists: consecutive lines that begin with a bullet or a number are one list. */
function blocksOf(details: Line['details']): Block[] {
  const blocks: Block[] = [];
  for (const segments of details) {
    const [first, ...rest] = segments;
    const match = first?.type === 'text' ? bullet.exec(first.text) : null;
    if (!first || !match) {
      blocks.push({ kind: 'p', lines: [{ segments, indent: 0 }] });
      continue;
    }
    const [mark, blanks = '', number] = match;
    const kind = number === undefined ? 'ul' : 'ol';
    const text = { ...first, text: first.text.slice(mark.length) };
    const line = { segments: [text, ...rest], indent: blanks.length, ...(number && { number: Number(number) }) };
    const last = blocks.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  }
  return blocks;
}

/** A row's details: paragraphs and lists. */
export const DetailLines = ({ details }: Pick<Line, 'details'>) =>
  blocksOf(details).map(({ kind: Kind, lines }, index) => {
    const inner = lines.map(({ segments, number, indent }, at) =>
      Kind === 'p' ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: details have no ids.
        <Inline key={at} segments={segments} />
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <li key={at} dir="auto" value={number} style={indent > 0 ? { marginInlineStart: `${indent}ch` } : undefined}>
          <Inline segments={segments} />
        </li>
      ),
    );
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <Kind key={index} dir="auto">
        {inner}
      </Kind>
    );
  });
