import Button from '@atlaskit/button/new';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { AssignedCounts, AssignedIssue } from '../../../client/assigned.ts';
import { issuePath } from '../../../domain/pages.ts';
import { focusRow, isOwnKey, keyAt } from '../../checklist/list/list-dom.ts';
import { anchored, linesToMount, piecesOf } from '../../kit/virtual-list.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import { AssignedRow } from './assigned-row.tsx';
import { blocksOf, type Group, type Part } from './groups.ts';

interface Props {
  groups: readonly Group[];
  issues: ReadonlyMap<string, AssignedIssue>;
  counts: AssignedCounts | undefined;
  /** Missing on the last page. */
  onMore: (() => void) | undefined;
  loadingMore: boolean;
  /** No request is running or failed: the next page may be fetched automatically. */
  idle: boolean;
}

/** Estimates, before a row or a heading is measured. */
const ROW_HEIGHT_PX = 32;
const HEADING_HEIGHT_PX = 48;
/** The next page is fetched at this distance below the visible range. */
const LOAD_AHEAD_MARGIN = '1200px 0px';

/** A block of the virtual list, and the position of its first item. */
interface Block {
  parts: readonly Part[];
  from: number;
}

const countOf = (parts: readonly Group[]) => parts.reduce((count, { items }) => count + items.length, 0);

/** Items under their headings, with a roving tabindex. Only blocks near the visible range, and the tab stop's, are mounted. */
export function AssignedList({ groups, issues, counts, onMore, loadingMore, idle }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  /** The position at an end of the list to focus once it is mounted. */
  const positionToFocus = useRef<number>(undefined);
  const blocks = useMemo(() => {
    let from = 0;
    return blocksOf(groups).map((parts): Block => {
      const block = { parts, from };
      from += countOf(parts);
      return block;
    });
  }, [groups]);
  const total = countOf(groups);
  const stop = Math.min(active, Math.max(0, total - 1));
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    ...anchored,
    count: blocks.length,
    // The content above the list is lower than a block, so one block beyond the visible ones on both sides is enough.
    overscan: 1,
    estimateSize: index =>
      (blocks[index]?.parts ?? []).reduce(
        (sum, { items, headed }) => sum + items.length * ROW_HEIGHT_PX + (headed ? HEADING_HEIGHT_PX : 0),
        0,
      ),
    rangeExtractor: range =>
      linesToMount(
        range,
        [blocks.findLastIndex(({ from }) => from <= stop)].filter(at => at >= 0),
      ),
  });
  // See `anchored`.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;

  const press = (event: KeyboardEvent) => {
    if (!isOwnKey(event) || event.altKey) return;
    const { key } = event;
    if (!/^(ArrowUp|ArrowDown|Home|End)$/.test(key)) return;
    event.preventDefault();
    if (key === 'Home' || key === 'End') {
      const end = key === 'Home' ? 0 : total - 1;
      if (end === stop) return goTo(rowAtEnd(root.current, end));
      positionToFocus.current = end;
      setActive(end);
      return;
    }
    goTo(beside(root.current, keyAt(event.target) ?? 0, key === 'ArrowDown' ? 1 : -1));
  };
  useLayoutEffect(() => {
    const end: number | undefined = positionToFocus.current;
    if (end === undefined) return;
    positionToFocus.current = undefined;
    goTo(rowAtEnd(root.current, end));
  });
  const focus = ({ target }: FocusEvent) => {
    const place = keyAt(target);
    if (place !== undefined) setActive(place);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows in it. */}
      <div ref={root} onKeyDown={press} onFocus={focus}>
        {piecesOf(virtualizer.getVirtualItems(), virtualizer.getTotalSize()).map(piece => {
          if ('room' in piece) return <div key={piece.key} style={{ height: piece.room }} />;
          const { index } = piece;
          const block = blocks[index];
          return block ? (
            <div key={index} ref={virtualizer.measureElement} data-index={index}>
              <Rows {...block} stop={stop} issues={issues} counts={counts} />
            </div>
          ) : null;
        })}
      </div>
      {onMore ? <More onMore={onMore} loading={loadingMore} idle={idle} /> : null}
    </>
  );
}

const rowsIn = (root: Element | null) => [...(root?.querySelectorAll<HTMLElement>('li[data-key]') ?? [])];

/** The first row if the end's position is 0, else the last one. */
const rowAtEnd = (root: Element | null, end: number) => rowsIn(root).at(end === 0 ? 0 : -1);

/** The next row in a direction. Some positions have none: their items are deleted. */
function beside(root: Element | null, place: number, step: 1 | -1): Element | undefined {
  const beyond = rowsIn(root).filter(row => Math.sign(Number(row.dataset.key) - place) === step);
  return step > 0 ? beyond[0] : beyond.at(-1);
}

function goTo(row: Element | undefined): void {
  if (row && focusRow(row)) row.scrollIntoView({ block: 'nearest' });
}

interface RowsProps extends Block, Pick<Props, 'issues' | 'counts'> {
  stop: number;
}

/** Scrolling renders only new blocks. */
const Rows = memo(function Rows({ parts, from, stop, issues, counts }: RowsProps) {
  let place = from;
  return parts.map(({ id, heading, items, headed }) => {
    const first = place;
    place += items.length;
    const showsIssue = !('issue' in heading);
    return (
      <section
        key={id}
        className="assigned-group"
        // The rest of a group that is split for scrolling is no landmark of its own.
        role={headed ? undefined : 'group'}
        aria-label={showsIssue ? heading.words : heading.issue.key}
      >
        {headed ? <Heading heading={heading} counts={counts} /> : null}
        <ul className="check-rows">
          {items.map((item, index) => {
            const issue = issues.get(item.issueId);
            const at = first + index;
            return issue ? (
              <AssignedRow
                key={item.id}
                item={item}
                issue={issue}
                place={at}
                tab={at === stop ? 0 : -1}
                showsIssue={showsIssue}
                showsSection={showsIssue || index === 0 || items[index - 1]?.section !== item.section}
              />
            ) : null;
          })}
        </ul>
      </section>
    );
  });
});

/** The tracker's colour names mapped to the kit's lozenges. */
const lozenges: Record<string, string> = { green: 'success', yellow: 'inprogress' };

function Heading({ heading, counts }: { heading: Group['heading']; counts: AssignedCounts | undefined }) {
  if (!('issue' in heading)) {
    const count = counts?.due[heading.count];
    return (
      <header className="assigned-heading">
        <h2>{heading.words}</h2>
        {count === undefined ? null : <Count count={count} />}
      </header>
    );
  }
  const { key, summary, status, type, project, count } = heading.issue;
  return (
    <header className="assigned-heading">
      <h2>
        <TrackerLink path={issuePath(key)}>
          <img className="check-issue-icon" src={type.icon} alt={type.name} /> {key}{' '}
          <span className="assigned-summary" dir="auto">
            {summary}
          </span>
        </TrackerLink>
      </h2>
      <span className={`check-status check-status-${lozenges[status.color] ?? 'default'}`}>{status.name}</span>
      <span className="assigned-project" dir="auto">
        {project.name}
      </span>
      <Count count={count} />
    </header>
  );
}

const Count = ({ count }: { count: number }) => (
  <span className="assigned-count">{count === 1 ? '1 item' : `${count} items`}</span>
);

/** Prefetches the next page. A page cancelled by a refresh of the list is fetched after it. */
function More({ onMore, loading, idle }: { onMore(): void; loading: boolean; idle: boolean }) {
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!root.current || typeof IntersectionObserver === 'undefined') return undefined;
    // A busy page delivers several entries at once: the last one is current.
    const observer = new IntersectionObserver(entries => setNear(entries.at(-1)?.isIntersecting ?? false), {
      root: document,
      rootMargin: LOAD_AHEAD_MARGIN,
    });
    observer.observe(root.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (near && idle) latest.current();
  }, [near, idle]);
  const id = useId();
  return (
    <div ref={root} className="assigned-more" id={id}>
      <Button isLoading={loading} onClick={onMore}>
        Show more
      </Button>
    </div>
  );
}
