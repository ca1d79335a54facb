import Button from '@atlaskit/button/new';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { AssignedCounts, AssignedIssue } from '../../client/assigned.ts';
import { issuePath } from '../../domain/pages.ts';
import { focusRow, isOwnKey, keyAt } from '../checklist/list/list-dom.ts';
import { TrackerLink } from '../shell/navigation/links.tsx';
import { AssignedRow } from './assigned-row.tsx';
import { type Group, type Part, piecesOf } from './groups.ts';

/** Overscan of mounted rows. */
const MARGIN = '1500px 0px';

interface VirtualBlockProps {
  /** Estimated height in pixels before it is measured. */
  height: number;
  children: ReactNode;
}

/** A block of a virtual list: mounted while near the visible range or focused. */
export function VirtualBlock({ height, children }: VirtualBlockProps) {
  const root = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(true);
  const known = useRef(height);
  useLayoutEffect(() => {
    const element = root.current;
    if (!element || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(
      entries => {
        // A busy page delivers several entries at once: the last one is current.
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.boundingClientRect.height > 0) known.current = entry.boundingClientRect.height;
        setNear(entry.isIntersecting || element.contains(document.activeElement));
      },
      // The default root ignores margins in a cross-origin frame.
      { root: document, rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={root} style={near ? undefined : { height: known.current }}>
      {near ? children : null}
    </div>
  );
}

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

/** Estimated height in pixels of a row and of a heading. */
const ROW = 32;
const HEADING = 48;
/** Distance below the visible range at which the next page is fetched. */
const AHEAD = '1200px 0px';

/** Items under their headings, with a roving tabindex. */
export function AssignedList({ groups, issues, counts, onMore, loadingMore, idle }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const pieces = piecesOf(groups);
  const total = groups.reduce((count, { items }) => count + items.length, 0);
  const stop = Math.min(active, Math.max(0, total - 1));
  const rowAt = (place: number) => root.current?.querySelector(`li[data-key="${place}"]`);
  const press = (event: KeyboardEvent) => {
    if (!isOwnKey(event) || event.altKey) return;
    const place = keyAt(event.target) ?? 0;
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, Home: -total, End: total };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    // Skips positions without a row: deleted ones, and those in unmounted blocks.
    for (let at = clamp(place + step, total); at !== place; at -= Math.sign(step)) {
      const row = rowAt(at);
      if (row && focusRow(row)) {
        row.scrollIntoView({ block: 'nearest' });
        return;
      }
      if (Math.abs(step) === 1) {
        const next = skip(root.current, place, step);
        if (next && focusRow(next)) next.scrollIntoView({ block: 'nearest' });
        return;
      }
    }
  };
  const focus = ({ target }: FocusEvent) => {
    const place = keyAt(target);
    if (place !== undefined) setActive(place);
  };
  let place = 0;
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows in it. */}
      <div ref={root} onKeyDown={press} onFocus={focus}>
        {pieces.map((parts, index) => {
          const from = place;
          place += parts.reduce((count, { items }) => count + items.length, 0);
          const height = parts.reduce((sum, { items, headed }) => sum + items.length * ROW + (headed ? HEADING : 0), 0);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no ids.
            <VirtualBlock key={index} height={height}>
              <Rows parts={parts} from={from} stop={stop} issues={issues} counts={counts} />
            </VirtualBlock>
          );
        })}
      </div>
      {onMore ? <More onMore={onMore} loading={loadingMore} idle={idle} /> : null}
    </>
  );
}

const clamp = (place: number, total: number) => Math.max(0, Math.min(total - 1, place));

/** The next mounted row in a direction. */
function skip(root: Element | null, place: number, step: number): Element | undefined {
  const rows = [...(root?.querySelectorAll<HTMLElement>('li[data-key]') ?? [])];
  const beyond = rows.filter(row => Math.sign(Number(row.dataset.key) - place) === step);
  return step > 0 ? beyond[0] : beyond.at(-1);
}

interface RowsProps extends Pick<Props, 'issues' | 'counts'> {
  parts: readonly Part[];
  from: number;
  stop: number;
}

function Rows({ parts, from, stop, issues, counts }: RowsProps) {
  let place = from;
  return parts.map(({ id, heading, items, headed }) => {
    const first = place;
    place += items.length;
    const showsIssue = !('issue' in heading);
    return (
      <section key={id} className="assigned-group" aria-label={showsIssue ? heading.words : heading.issue.key}>
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
              />
            ) : null;
          })}
        </ul>
      </section>
    );
  });
}

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
  const { key, summary, status, statusColor, type, typeIcon, count, projectName } = heading.issue;
  return (
    <header className="assigned-heading">
      <h2>
        <TrackerLink path={issuePath(key)}>
          <img className="check-issue-icon" src={typeIcon} alt={type} /> {key}{' '}
          <span className="assigned-summary" dir="auto">
            {summary}
          </span>
        </TrackerLink>
      </h2>
      <span className={`check-status check-status-${lozenges[statusColor] ?? 'default'}`}>{status}</span>
      <span className="assigned-project" dir="auto">
        {projectName}
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
      rootMargin: AHEAD,
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
