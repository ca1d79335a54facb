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
import type { HierarchyView } from '../../../client/hierarchy/hierarchy.ts';
import { countsOf } from '../../../client/hierarchy/hierarchy.ts';
import type { TreeIssue } from '../../../client/hierarchy/issue.ts';
import type { RollUp } from '../../../client/hierarchy/tree.ts';
import { hierarchy } from '../../../domain/messages.ts';
import { useFocusFallback } from '../../kit/focus.ts';
import { stepOf } from './tree-keys.ts';
import { IssueRow } from './tree-row.tsx';
import type { TreeRow } from './tree-rows.ts';
import { piecesOf, type Sized, STEP, topOf } from './tree-rows.ts';

/** Goes to a row from outside of the tree. */
export interface TreeHandle {
  focus(path: string): void;
}

interface Props {
  handle: RefObject<TreeHandle | null>;
  rows: readonly TreeRow[];
  view: HierarchyView;
  rollUps: ReadonlyMap<string, RollUp>;
  /** Issues whose checklists were opened, and those of them that show. */
  opened: ReadonlyMap<string, TreeIssue>;
  shown: ReadonlySet<string>;
  checklist(issue: TreeIssue): ReactNode;
  onToggle(rows: readonly TreeRow[]): void;
  onWork(row: TreeRow): void;
  onFind(row: TreeRow): void;
  onApply(issue: TreeIssue): void;
  /** Told which issues are seen. */
  onSeen(ids: readonly string[]): void;
}

/** Pixels of a row: on one line, and where there is little width on two. */
const ROW = 40;
const ROW_NARROW = 68;
const NARROW = 860;
/** Pixels of a checklist that nobody has measured yet, and of the tree before it is laid out. */
const LIST = 200;
const HEIGHT = 800;

const columns = ['Issue', 'Status', 'Assignee', 'Checklist', 'Mandatory', 'With all below'];

/** An open checklist. Its issue may have gone from the tree. */
interface OpenLine extends Sized {
  list: TreeIssue;
  hidden: boolean;
  gone: boolean;
}
type Line = OpenLine | (Sized & { row: TreeRow; place: number });

/**
 * The issues as a treegrid: one stop for the Tab key, the arrow keys lead through it. Only rows near what is seen are in the
 * document, and every checklist that was opened, since something may be typed there.
 */
export function Tree(props: Props) {
  const { handle, rows, view, rollUps, opened, shown, checklist, onToggle, onWork, onFind, onApply, onSeen } = props;
  const { tree, growing } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [size, setSize] = useState({ height: HEIGHT, narrow: false });
  const [active, setActive] = useState<string | undefined>(undefined);
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const wanted = useRef<string>(undefined);

  const home = rows.find(({ issue, relation }) => issue.id === tree?.focus && relation === undefined);
  const stop = rows.some(({ path }) => path === active) ? active : (home ?? rows[0])?.path;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() =>
      setSize({ height: element.clientHeight || HEIGHT, narrow: element.clientWidth < NARROW }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const rowHeight = size.narrow ? ROW_NARROW : ROW;
  const lines = useMemo((): Line[] => {
    const left = new Map(opened);
    const listed = rows.flatMap((row, place): Line[] => {
      const { path: key, issue, repeated } = row;
      const line = { key, height: rowHeight, stays: key === stop, row, place };
      if (repeated || !left.delete(issue.id)) return [line];
      return [line, listLine(issue, heights, { hidden: !shown.has(issue.id) })];
    });
    // Those whose rows do not show now are kept for when they do. Of issues that have gone they stay in sight.
    const others = [...left.values()].map(issue => {
      const gone = tree?.issues.has(issue.id) === false;
      return listLine(issue, heights, { hidden: !gone || !shown.has(issue.id), gone });
    });
    return [...listed, ...others];
  }, [rows, opened, shown, heights, rowHeight, stop, tree]);
  const pieces = piecesOf(lines, top, top + size.height);

  const seen = pieces.flatMap(piece => {
    const line = 'index' in piece ? lines[piece.index] : undefined;
    return line && 'row' in line ? line.row.issue.id : [];
  });
  const seenKey = [...new Set(seen)].join(' ');
  useEffect(() => onSeen(seenKey === '' ? [] : seenKey.split(' ')), [seenKey, onSeen]);

  const go = useCallback((path: string) => {
    wanted.current = path;
    setActive(path);
  }, []);
  useImperativeHandle(handle, () => ({ focus: go }), [go]);
  useLayoutEffect(() => {
    const path: string | undefined = wanted.current;
    const row = rowAt(scroller.current, path);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  });

  // A row goes with its issue, or with what is above it. What had the focus in a checklist is asked for there.
  const { onFocus, onBlur } = useFocusFallback(() => rowAt(scroller.current, stop));

  // The issue that it is about is seen first, however long the tree is.
  const ready = view.reading !== 'tree' && home !== undefined;
  const placed = useRef(false);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!ready || placed.current || !element) return;
    placed.current = true;
    const at = topOf(
      lines,
      lines.findIndex(({ key }) => key === home?.path),
    );
    if (at + ROW_NARROW > element.clientHeight) element.scrollTop = at - element.clientHeight / 3;
  });

  const measure = useCallback((id: string, height: number) => {
    setHeights(known => (known.get(id) === height ? known : new Map(known).set(id, height)));
  }, []);

  const press = (event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-path]') : null;
    if (!row || defaultPrevented || ctrlKey || metaKey || altKey) return;
    const path = row.dataset.path ?? '';
    // On a link or button of the row only those keys that lead away from it.
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
    else if (step.work.repeated) onFind(step.work);
    else onWork(step.work);
  };

  const toggleOne = useCallback((row: TreeRow) => onToggle([row]), [onToggle]);
  return (
    <div
      ref={scroller}
      className="tree"
      data-narrow={size.narrow || undefined}
      onScroll={({ currentTarget }) => setTop(Math.floor(currentTarget.scrollTop / STEP) * STEP)}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a treegrid is a table whose rows open.
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
                <ListLine key={line.key} line={line} onMeasure={measure}>
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
                narrow={size.narrow}
                at={place + 2}
                active={row.path === stop}
                focus={row === home}
                counts={countsOf(view, id) ?? (view.summaries.get(id) === null ? null : undefined)}
                rollUp={tree?.children.get(id)?.length ? rollUps.get(id) : undefined}
                working={shown.has(id)}
                growing={growing.has(id)}
                toggle={toggleOne}
                work={onWork}
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

function listLine(
  issue: TreeIssue,
  heights: ReadonlyMap<string, number>,
  { hidden, gone = false }: { hidden: boolean; gone?: boolean },
): OpenLine {
  const height = hidden ? 0 : (heights.get(issue.id) ?? LIST);
  return { key: `checklist ${issue.id}`, height, stays: true, list: issue, hidden, gone };
}

const rowAt = (root: Element | null, path: string | undefined): HTMLElement | undefined =>
  [...(root?.querySelectorAll<HTMLElement>('[data-path]') ?? [])].find(({ dataset }) => dataset.path === path);

interface ListLineProps {
  line: OpenLine;
  onMeasure(id: string, height: number): void;
  children: ReactNode;
}

/** A checklist below its issue. One that was closed stays where it is, unseen: what was typed there is not lost. */
function ListLine({ line: { list, hidden, gone }, onMeasure, children }: ListLineProps) {
  const { id, key } = list;
  const box = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => {
      if (element.offsetHeight > 0) onMeasure(id, element.offsetHeight);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [id, onMeasure]);
  return (
    <tr ref={box} className="tree-list-row" hidden={hidden}>
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
