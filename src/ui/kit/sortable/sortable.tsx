import DragHandleIcon from '@atlaskit/icon/core/drag-handle-vertical';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { autoScrollWindowForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element';
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge';
import DropIndicator from '@atlaskit/pragmatic-drag-and-drop-react-drop-indicator/box';
import {
  type ComponentProps,
  type ComponentType,
  type KeyboardEvent,
  memo,
  type ReactNode,
  startTransition,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import './sortable.css';

interface Props<Item> {
  label: string;
  items: readonly Item[];
  keyOf(item: Item): string;
  /** The item's name in announcements. */
  nameOf(item: Item): string;
  /** Missing if the order cannot be changed. */
  onMove?: ((from: number, to: number) => void) | undefined;
  /** Renders an item. A changed function rerenders all items. */
  children(item: Item): ReactNode;
}

/** Keys of the list and the index in the data of a dragged item. */
const LIST_KEY = 'sortable list';
const INDEX_KEY = 'sortable index';

/** A list that is sorted by dragging, or with the arrow keys on an item's handle. */
export function SortableList<Item>({ label, items, keyOf, nameOf, onMove, children }: Props<Item>) {
  const list = useId();
  const [announcement, setAnnouncement] = useState('');
  const count = useIncrementalCount(items.length);
  const latest = useRef({ items, nameOf, onMove });
  useLayoutEffect(() => {
    latest.current = { items, nameOf, onMove };
  });
  const move = useCallback((from: number, to: number) => {
    const { items, nameOf, onMove } = latest.current;
    const item = items[from];
    if (item === undefined || to === from || to < 0 || to >= items.length) return;
    onMove?.(from, to);
    setAnnouncement(`${nameOf(item)} moved to position ${to + 1} of ${items.length}.`);
  }, []);
  useEffect(
    () =>
      combine(
        autoScrollWindowForElements(),
        monitorForElements({
          canMonitor: ({ source }) => source.data[LIST_KEY] === list,
          onDrop: ({ source, location }) => {
            const data = location.current.dropTargets[0]?.data;
            const [from, over] = [source.data[INDEX_KEY], data?.[INDEX_KEY]];
            if (!data || typeof from !== 'number' || typeof over !== 'number') return;
            const to = over + (extractClosestEdge(data) === 'bottom' ? 1 : 0);
            move(from, to > from ? to - 1 : to);
          },
        }),
      ),
    [list, move],
  );
  return (
    <>
      <ul className="sortable" aria-label={label}>
        {items.slice(0, count).map((item, index) => (
          <Entry
            key={keyOf(item)}
            list={list}
            item={item}
            name={nameOf(item)}
            index={index}
            movable={onMove !== undefined && items.length > 1}
            onMove={move}
          >
            {children}
          </Entry>
        ))}
      </ul>
      <p className="check-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

interface EntryProps<Item> {
  list: string;
  item: Item;
  name: string;
  index: number;
  movable: boolean;
  onMove(from: number, to: number): void;
  children(item: Item): ReactNode;
}

function PlainEntry<Item>({ list, item, name, index, movable, onMove, children }: EntryProps<Item>) {
  const element = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const [edge, setEdge] = useState<'top' | 'bottom' | undefined>(undefined);
  const [dragged, setDragged] = useState(false);
  useEffect(() => {
    if (!element.current || !handle.current || !movable) return undefined;
    const data = { [LIST_KEY]: list, [INDEX_KEY]: index };
    return combine(
      draggable({
        element: element.current,
        dragHandle: handle.current,
        getInitialData: () => data,
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element: element.current,
        canDrop: ({ source }) => source.data[LIST_KEY] === list,
        getData: ({ input, element }) => attachClosestEdge(data, { element, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self }) => {
          const closest = extractClosestEdge(self.data);
          setEdge(closest === 'top' || closest === 'bottom' ? closest : undefined);
        },
        onDragLeave: () => setEdge(undefined),
        onDrop: () => setEdge(undefined),
      }),
    );
  }, [list, index, movable]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    onMove(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
  };
  return (
    <li ref={element} className={dragged ? 'sortable-item sortable-dragged' : 'sortable-item'}>
      {movable ? (
        <button
          ref={handle}
          type="button"
          className="sortable-handle"
          aria-label={`Move ${name}: arrow up or down`}
          onKeyDown={onKeyDown}
        >
          <DragHandleIcon label="" />
        </button>
      ) : null}
      {children(item)}
      {edge ? <DropIndicator edge={edge} gap="0px" /> : null}
    </li>
  );
}

/** Memoized: only changed items rerender. */
const Entry = memo(PlainEntry) as typeof PlainEntry;

interface RowButtonProps
  extends Omit<ComponentProps<'button'>, 'type' | 'className' | 'aria-label' | 'title' | 'children'> {
  icon: ComponentType<{ label: string }>;
  /** The action and its row. */
  label: string;
}

/**
 * An icon button of a row. Plain HTML: lists are long, and each of the design system's buttons has a tooltip component.
 */
export const RowButton = ({ icon: Icon, label, ...props }: RowButtonProps) => (
  <button {...props} type="button" className="sortable-tool" aria-label={label} title={label}>
    <Icon label="" />
  </button>
);

/** A screen of rows. */
const FIRST_RENDER_ROWS = 40;
/** As many as render without a noticeable delay. */
const ROWS_PER_RENDER = 50;

/**
 * Returns how many of `count` rows to render: a screen of them at once, the others in transitions, so that input stays
 * responsive.
 */
export function useIncrementalCount(count: number): number {
  const [ready, setReady] = useState(FIRST_RENDER_ROWS);
  // Rows that return after a filter are rendered in chunks again.
  const most = Math.max(FIRST_RENDER_ROWS, Math.min(ready, count));
  if (most !== ready) setReady(most);
  useEffect(() => {
    if (ready < count) startTransition(() => setReady(Math.min(count, ready + ROWS_PER_RENDER)));
  }, [ready, count]);
  return Math.min(count, most);
}
