import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { sections } from '../../../text/progress.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { endOf, positionText, stepOf } from '../../model/rows/row-moves.ts';
import type { Services } from '../../shell/services/services.ts';
import type { RowPermissions } from '../row/row-parts.tsx';
import type { ListProps } from './list.tsx';
import type { ListControls } from './list-commands.ts';
import { focusRow } from './list-dom.ts';

/** The list's state for its commands. */
export interface ListContext extends Omit<ListProps, 'context' | 'controls'> {
  list: HTMLElement | null;
  services: Services;
  may: RowPermissions;
  controls: ListControls | undefined;
  /** Opens an input below a row; `inSection`: at the end of a header's section, as without it below headers. */
  openAdd(index: number, inSection?: boolean): void;
}

/** The indexes of the rows that a command applies to: all selected ones if this row is selected, else this one. */
export function targetsOf({ keys, selection, visible }: ListContext, key: number): number[] {
  const index = keys.indexOf(key);
  if (!selection.keys.has(key)) return index < 0 ? [] : [index];
  return visible.shown.filter(each => selection.keys.has(keys[each] ?? -1));
}

const headerAbove = ({ rows }: Checklist, index: number) =>
  rows.findLast((row, at) => at < index && row.kind === 'header');

/** The section that rows move to, for their label; nothing if they stay in theirs. */
function sectionLabel(checklist: Checklist, picked: readonly number[], index: number): string {
  const header = headerAbove(checklist, index);
  return !header || picked.every(each => headerAbove(checklist, each) === header) ? '' : ` to ${header.words}`;
}

/** Moves rows before the one at an index and announces their new position. */
export function moveRows(context: ListContext, picked: readonly number[], index: number, section: boolean): void {
  const { checklist, actions, latest, say } = context;
  const [first = 0] = picked;
  const before = latest();
  actions.move(
    picked.flatMap(each => checklist.rows[each] ?? []),
    index,
    section,
    section ? '' : sectionLabel(checklist, picked, index),
  );
  const after = latest();
  const row = checklist.rows[first];
  if (!after || after === before || !row) return;
  const above = section ? (index > first ? 1 : 0) : picked.filter(each => each < index).length;
  // Moved down, a section shifts the target by its whole length.
  const length = section ? endOf(checklist, first) - first : 1;
  say(`Moved to ${positionText(after, index - above * length)}.`);
}

/** Moves rows, or a header with its section, before the row at an index. */
export function moveRow(context: ListContext | undefined, row: Row, index: number): void {
  if (context) moveRows(context, [context.checklist.rows.indexOf(row)], index, row.kind === 'header');
}

/** Moves rows up or down by one visible row. */
export function stepRows(context: ListContext, rows: readonly Row[], up: boolean): void {
  const { checklist, visible, say } = context;
  const picked = rows.map(row => checklist.rows.indexOf(row));
  const step = stepOf(checklist, visible, picked, up);
  if (!step) say(up ? 'Already at the top.' : 'Already at the end.');
  else moveRows(context, picked, step.index, step.section);
}

/** Opens the closed sections around a row. */
export function openSections(
  checklist: Checklist,
  index: number,
  { folded }: ListProps['visible'],
  fold: ListProps['onFold'],
): void {
  for (const { header, end } of sections(checklist))
    if (header < index && index < end && folded.has(header)) fold(checklist, header, false);
}

/** Opens the closed sections around a row, and a long list, and focuses the row. A filter may still hide it. */
export function showRow(context: RefObject<ListContext | undefined>, row: Row): void {
  if (!context.current) return;
  const { checklist, visible, keys, onFold, onMore, list, say } = context.current;
  const index = checklist.rows.indexOf(row);
  if (index < 0) return;
  const isShown = () => focusRow(list?.querySelector(`[data-key="${keys[index]}"]`));
  flushSync(() => openSections(checklist, index, visible, onFold));
  if (isShown()) return;
  if (visible.more > 0) flushSync(() => onMore(true));
  if (!isShown()) say('A filter hides this item.');
}
