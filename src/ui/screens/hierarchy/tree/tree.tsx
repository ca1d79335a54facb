import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { countsOf, type HierarchyView } from '../../../../client/hierarchy/hierarchy.ts';
import type { TreeIssue } from '../../../../client/hierarchy/issue.ts';
import type { RollUp } from '../../../../client/hierarchy/tree.ts';
import { hierarchy } from '../../../../domain/messages.ts';
import { useFocusFallback } from '../../../kit/focus.ts';
import { anchored, linesToMount, observeShown, piecesOf } from '../../../kit/virtual-list.ts';
import { IssueRow } from './tree-row.tsx';
import { stepOf, type TreeRow } from './tree-rows.ts';

/** Focuses a row from outside the tree. */
export interface TreeHandle {
  focus(path: string): void;
}

interface Props {
  handle: RefObject<TreeHandle | null>;
  rows: readonly TreeRow[];
  view: HierarchyView;
  rollUps: ReadonlyMap<string, RollUp>;
  /** Issues with mounted checklists, and the issues among them whose checklists are open. */
  opened: ReadonlyMap<string, TreeIssue>;
  shown: ReadonlySet<string>;
  checklist(issue: TreeIssue): ReactNode;
  onToggle(rows: readonly TreeRow[]): void;
  onToggleChecklist(row: TreeRow): void;
  onFind(row: TreeRow): void;
  onApply(issue: TreeIssue): void;
  /** Called with the ids of the visible issues. */
  onVisible(ids: readonly string[]): void;
}

/** A row has one line, or two if the tree is narrow. */
const ROW_HEIGHT_PX = 40;
const NARROW_ROW_HEIGHT_PX = 68;
const NARROW_BELOW_PX = 860;
/** The estimated height of a checklist before it is measured. */
const LIST_HEIGHT_PX = 200;
/** Lines are mounted beyond the visible ones, on both sides. */
const OVERSCAN_LINES = 10;

const columns = ['Issue', 'Status', 'Assignee', 'Checklist', 'Mandatory', 'With all below'];

/** A mounted checklist; `gone`: its issue is not in the tree any more. */
interface OpenLine {
  key: string;
  list: TreeIssue;
  hidden: boolean;
  gone: boolean;
}
type Line = OpenLine | { key: string; row: TreeRow; place: number };

/**
 * The issues as a treegrid with a roving tabindex. Mounts only rows near the visible range, and every opened checklist,
 * which may have typed text.
 */
export function Tree(props: Props) {
  const { handle, rows, view, rollUps, opened, shown, checklist, onToggle, onToggleChecklist, onFind } = props;
  const { onApply, onVisible } = props;
  const { tree, growing } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const [narrow, setNarrow] = useState(false);
  const [active, setActive] = useState<string | undefined>(undefined);
  const pathToFocus = useRef<string>(undefined);

  const home = rows.find(({ issue, relation }) => issue.id === tree?.focus && relation === undefined);
  const stop = rows.some(({ path }) => path === active) ? active : (home ?? rows[0])?.path;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || typeof ResizeObserver === 'undefined') return undefined;
    let frame = 0;
    // In the next frame: a new layout within the callback is reported as a loop.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setNarrow(element.clientWidth < NARROW_BELOW_PX));
    });
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, []);

  const lines = useMemo((): Line[] => {
    const unlistedIssues = new Map(opened);
    const listed = rows.flatMap((row, place): Line[] => {
      const { path: key, issue, repeated } = row;
      const line = { key, row, place };
      if (repeated || !unlistedIssues.delete(issue.id)) return [line];
      return [line, listLine(issue, !shown.has(issue.id))];
    });
    // Checklists without a visible row stay mounted but hidden; checklists of removed issues stay visible.
    const unlistedLines = [...unlistedIssues.values()].map(issue => {
      const gone = tree?.issues.has(issue.id) === false;
      return listLine(issue, !gone || !shown.has(issue.id), gone);
    });
    return [...listed, ...unlistedLines];
  }, [rows, opened, shown, tree]);
  const rowHeight = narrow ? NARROW_ROW_HEIGHT_PX : ROW_HEIGHT_PX;
  const stays = lines.flatMap((line, index) => ('list' in line || line.key === stop ? index : []));
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    ...anchored,
    count: lines.length,
    getScrollElement: () => scroller.current,
    useAnimationFrameWithResizeObserver: true,
    observeElementRect: observeShown,
    // Its identity makes the library estimate anew.
    getItemKey: useCallback(index => `${lines[index]?.key} ${rowHeight}`, [lines, rowHeight]),
    estimateSize: index => {
      const line = lines[index];
      if (!line || 'row' in line) return rowHeight;
      return line.hidden ? 0 : LIST_HEIGHT_PX;
    },
    overscan: OVERSCAN_LINES,
    rangeExtractor: range => linesToMount(range, stays),
  });
  // See `anchored`.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  const pieces = piecesOf(virtualizer.getVirtualItems(), virtualizer.getTotalSize());

  const visible = pieces.flatMap(piece => {
    const line = 'index' in piece ? lines[piece.index] : undefined;
    return line && 'row' in line ? line.row.issue.id : [];
  });
  const visibleKey = [...new Set(visible)].join(' ');
  useEffect(() => onVisible(visibleKey === '' ? [] : visibleKey.split(' ')), [visibleKey, onVisible]);

  const go = useCallback((path: string) => {
    pathToFocus.current = path;
    setActive(path);
  }, []);
  useImperativeHandle(handle, () => ({ focus: go }), [go]);
  useLayoutEffect(() => {
    const path: string | undefined = pathToFocus.current;
    const row = rowAt(scroller.current, path);
    if (!row) return;
    pathToFocus.current = undefined;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  });

  // For a focused row that is unmounted; checklists have their own fallback.
  const { onFocus, onBlur } = useFocusFallback(() => rowAt(scroller.current, stop));

  // Scrolls once to the hierarchy's own issue.
  const ready = view.reading !== 'tree' && home !== undefined;
  const scrolled = useRef(false);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!ready || scrolled.current || !element) return;
    scrolled.current = true;
    const at = virtualizer.measurementsCache[lines.findIndex(({ key }) => key === home?.path)]?.start ?? 0;
    if (at + NARROW_ROW_HEIGHT_PX > element.clientHeight) element.scrollTop = at - element.clientHeight / 3;
  });

  const press = (event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-path]') : null;
    if (!row || defaultPrevented || ctrlKey || metaKey || altKey) return;
    const path = row.dataset.path ?? '';
    // On a row's link or button only keys that leave it.
    if (target !== row && !/^(Escape|ArrowUp|ArrowDown)$/.test(key)) return;
    if (target !== row && key === 'Escape') {
      event.preventDefault();
      row.focus();
      return;
    }
    const at = rows.findIndex(each => each.path === path);
    const step = stepOf(rows, at, key);
    if (!step) return;
    event.preventDefault();
    if ('to' in step) go(step.to.path);
    else if ('toggle' in step) onToggle(step.toggle);
    else if (step.checklist.repeated) onFind(step.checklist);
    else onToggleChecklist(step.checklist);
  };

  const toggleOne = useCallback((row: TreeRow) => onToggle([row]), [onToggle]);
  return (
    <div ref={scroller} className="tree" data-narrow={narrow || undefined}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a treegrid is a table with expandable rows.
        role="treegrid"
        aria-label="Issues"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        onKeyDown={press}
        onFocus={({ target }) => {
          const path = target.closest<HTMLElement>('[data-path]')?.dataset.path;
          if (path === undefined) return onBlur();
          setActive(path);
          onFocus();
        }}
        onBlur={onBlur}
      >
        <thead>
          <tr className="tree-head" aria-rowindex={1}>
            {columns.map(words => (
              <th key={words} scope="col">
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pieces.map(piece => {
            if ('room' in piece) return <tr key={piece.key} className="tree-room" style={{ height: piece.room }} />;
            const line = lines[piece.index];
            if (!line) return null;
            if ('list' in line) {
              return (
                <ListLine key={line.key} line={line} index={piece.index} measure={virtualizer.measureElement}>
                  {checklist(line.list)}
                </ListLine>
              );
            }
            const { row, place } = line;
            const { id } = row.issue;
            return (
              <IssueRow
                key={line.key}
                row={row}
                narrow={narrow}
                at={place + 2}
                active={row.path === stop}
                focus={row === home}
                counts={countsOf(view, id) ?? (view.summaries.get(id) === null ? null : undefined)}
                rollUp={tree?.children.get(id)?.length ? rollUps.get(id) : undefined}
                checklistOpen={shown.has(id)}
                growing={growing.has(id)}
                toggle={toggleOne}
                toggleChecklist={onToggleChecklist}
                find={onFind}
                apply={onApply}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const listLine = (issue: TreeIssue, hidden: boolean, gone = false): OpenLine => ({
  key: `checklist ${issue.id}`,
  list: issue,
  hidden,
  gone,
});

const rowAt = (root: Element | null, path: string | undefined): HTMLElement | undefined =>
  [...(root?.querySelectorAll<HTMLElement>('[data-path]') ?? [])].find(({ dataset }) => dataset.path === path);

interface ListLineProps {
  line: OpenLine;
  /** Position in the virtual list. */
  index: number;
  measure(element: HTMLTableRowElement | null): void;
  children: ReactNode;
}

/** A checklist below its issue. A closed one stays mounted but hidden: its typed text is not lost. */
function ListLine({ line: { list, hidden, gone }, index, measure, children }: ListLineProps) {
  const { key } = list;
  return (
    <tr ref={measure} className="tree-list-row" data-index={index} hidden={hidden}>
      <td colSpan={columns.length}>
        <section className="check-panel tree-list" aria-label={`Checklist of ${key}`}>
          {gone ? (
            <p className="tree-note">
              <strong>{key}</strong> {hierarchy.gone}
            </p>
          ) : null}
          {children}
        </section>
      </td>
    </tr>
  );
}
