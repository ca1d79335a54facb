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
import { TrackerLink } from '../shell/navigation/tracker-link.tsx';
import { AssignedRow } from './assigned-row.tsx';
import { type Group, type Part, piecesOf } from './groups.ts';

/** Pixels around what is seen in which rows are there. */
const MARGIN = '1500px 0px';

interface VirtualBlockProps {
  /** About how high it is as long as nobody has seen it. */
  height: number;
  children: ReactNode;
}

/** A piece of a long list: its rows are there while they are near what is seen, or the focus is among them. */
export function VirtualBlock({ height, children }: VirtualBlockProps) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(true);
  const known = useRef(height);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(
      entries => {
        // Several come at once where the page was busy: the last one holds.
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.boundingClientRect.height > 0) known.current = entry.boundingClientRect.height;
        setNear(entry.isIntersecting || element.contains(document.activeElement));
      },
      // Without a root of its own a frame of another origin gets no margin.
      { root: document, rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} style={near ? undefined : { height: known.current }}>
      {near ? children : null}
    </div>
  );
}

interface Props {
  groups: readonly Group[];
  issues: ReadonlyMap<string, AssignedIssue>;
  counts: AssignedCounts | undefined;
  /** Missing when there is nothing more. */
  onMore: (() => void) | undefined;
  loadingMore: boolean;
  /** Nothing is being read, and nothing failed: what comes next may be fetched unasked. */
  idle: boolean;
}

/** Pixels of a row and of a heading, about. */
const ROW = 32;
const HEADING = 48;
/** Pixels below what is seen at which the next page is fetched. */
const AHEAD = '1200px 0px';

/** Items under their headings. One stop for the Tab key; the arrow keys lead from row to row. */
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
    // Those that have gone leave a hole; far away nothing is there until it is near.
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
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece is what stands there.
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

/** The next row there is in a direction. */
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
    const told = !('issue' in heading);
    return (
      <section key={id} className="assigned-group" aria-label={told ? heading.words : heading.issue.key}>
        {headed ? <Heading heading={heading} counts={counts} /> : null}
        <ul className="check-rows">
          {items.map((item, index) => {
            const issue = issues.get(item.issueId);
            const at = first + index;
            return issue ? (
              <AssignedRow key={item.id} item={item} issue={issue} place={at} tab={at === stop ? 0 : -1} told={told} />
            ) : null;
          })}
        </ul>
      </section>
    );
  });
}

/** The tracker's names of colours, in those of the kit's lozenge. */
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

/** Fetches the next page before the user gets there. One that a reading of the whole list breaks off is fetched after it. */
function More({ onMore, loading, idle }: { onMore(): void; loading: boolean; idle: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!place.current || typeof IntersectionObserver === 'undefined') return undefined;
    // Several entries come at once where the page was busy: the last one holds.
    const observer = new IntersectionObserver(entries => setSeen(entries.at(-1)?.isIntersecting ?? false), {
      root: document,
      rootMargin: AHEAD,
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (seen && idle) latest.current();
  }, [seen, idle]);
  const id = useId();
  return (
    <div ref={place} className="assigned-more" id={id}>
      <Button isLoading={loading} onClick={onMore}>
        Show more
      </Button>
    </div>
  );
}
