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
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import '../checklist/checklist.css';
import './sortable.css';

export interface SortableItem {
  key: string;
  /** What it is called in announcements. */
  name: string;
}

interface Props<Item extends SortableItem> {
  label: string;
  items: readonly Item[];
  /** Without it nothing can be moved. */
  onMove?: ((from: number, to: number) => void) | undefined;
  children(item: Item, index: number): ReactNode;
}

/** Under which the list and the place of what is dragged stand. */
const LIST = 'sortable list';
const PLACE = 'sortable place';

/** A list in an order that people make, by dragging and, at an item's handle, by the arrow keys. */
export function SortableList<Item extends SortableItem>({ label, items, onMove, children }: Props<Item>) {
  const list = useId();
  const [said, setSaid] = useState('');
  const latest = useRef({ items, onMove });
  useEffect(() => {
    latest.current = { items, onMove };
  });
  const move = (from: number, to: number) => {
    const { items, onMove } = latest.current;
    const item = items[from];
    if (!item || to === from || to < 0 || to >= items.length) return;
    onMove?.(from, to);
    setSaid(`${item.name} moved to place ${to + 1} of ${items.length}.`);
  };
  const mover = useRef(move);
  useEffect(() => {
    mover.current = move;
  });
  useEffect(
    () =>
      combine(
        autoScrollWindowForElements(),
        monitorForElements({
          canMonitor: ({ source }) => source.data[LIST] === list,
          onDrop: ({ source, location }) => {
            const data = location.current.dropTargets[0]?.data;
            const [from, over] = [source.data[PLACE], data?.[PLACE]];
            if (!data || typeof from !== 'number' || typeof over !== 'number') return;
            const to = over + (extractClosestEdge(data) === 'bottom' ? 1 : 0);
            mover.current(from, to > from ? to - 1 : to);
          },
        }),
      ),
    [list],
  );
  return (
    <>
      <ul className="sortable" aria-label={label}>
        {items.map((item, index) => (
          <Entry
            key={item.key}
            list={list}
            item={item}
            index={index}
            movable={onMove !== undefined && items.length > 1}
            onMove={to => move(index, to)}
          >
            {children(item, index)}
          </Entry>
        ))}
      </ul>
      <p className="check-hidden" role="status">
        {said}
      </p>
    </>
  );
}

interface EntryProps {
  list: string;
  item: SortableItem;
  index: number;
  movable: boolean;
  onMove(to: number): void;
  children: ReactNode;
}

function Entry({ list, item, index, movable, onMove, children }: EntryProps) {
  const element = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const [edge, setEdge] = useState<'top' | 'bottom' | undefined>(undefined);
  const [dragged, setDragged] = useState(false);
  useEffect(() => {
    if (!element.current || !handle.current || !movable) return undefined;
    const data = { [LIST]: list, [PLACE]: index };
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
        canDrop: ({ source }) => source.data[LIST] === list,
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
    onMove(event.key === 'ArrowUp' ? index - 1 : index + 1);
  };
  return (
    <li ref={element} className={dragged ? 'sortable-item sortable-dragged' : 'sortable-item'}>
      {movable ? (
        <button
          ref={handle}
          type="button"
          className="sortable-handle"
          aria-label={`Move ${item.name}: arrow up or down`}
          onKeyDown={onKeyDown}
        >
          <DragHandleIcon label="" />
        </button>
      ) : null}
      {children}
      {edge ? <DropIndicator edge={edge} gap="0px" /> : null}
    </li>
  );
}
