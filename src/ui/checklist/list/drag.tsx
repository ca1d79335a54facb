import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/element/pointer-outside-of-preview';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview';
import { autoScrollWindowForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element';
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge';
import DropIndicator from '@atlaskit/pragmatic-drag-and-drop-react-drop-indicator/box';
import { type RefObject, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { failures } from '../../../domain/messages.ts';
import { endOf } from '../../model/rows/row-moves.ts';
import { useNotify } from '../../shell/services/services.ts';
import { keyAt } from './list-dom.ts';
import { type ListContext, moveRows, targetsOf } from './list-moves.ts';
import { dragByTouch } from './touch-drag.ts';
import '../checklist.css';

/** The property of the drag data that holds the dragged row's key. */
const DRAGGED_ROW_KEY = 'checklist row';

interface Line {
  row: HTMLElement;
  edge: 'top' | 'bottom';
}

/** The row nearest to a vertical position. */
function nearest(list: Element, y: number): HTMLElement | undefined {
  let best: HTMLElement | undefined;
  for (const row of list.querySelectorAll<HTMLElement>(':scope > li[data-key]')) {
    best = row;
    if (y <= row.getBoundingClientRect().bottom) break;
  }
  return best;
}

/** The drag preview's text. */
const nameOf = ({ checklist: { rows } }: ListContext, picked: readonly number[]): string => {
  const row = rows[picked[0] ?? -1];
  return picked.length > 1 ? `${picked.length} items` : (row?.words.slice(0, 60) ?? '');
};

interface Props {
  /** The list's current state. */
  context: RefObject<ListContext | undefined>;
}

/** Brings the row beyond another one into view, so that a row that is dragged by a finger can go on. */
function reveal(row: HTMLElement, edge: Line['edge']): void {
  const beyond = edge === 'top' ? row.previousElementSibling : row.nextElementSibling;
  (beyond ?? row).scrollIntoView({ block: 'nearest' });
}

/**
 * Drag and drop of rows by their handles, and by a long press if there is no handle, with a drop indicator. Lazy:
 * loaded when a pointer enters the list.
 */
export default function Drag({ context }: Props) {
  const [line, setLine] = useState<Line | undefined>(undefined);
  const notify = useNotify();
  useEffect(() => {
    const list = context.current?.list;
    if (!list) return undefined;
    const ends = new Map<Element, () => void>();

    /** Makes a row draggable on hover, since rows mount and unmount. */
    const prepare = (under: EventTarget | null) => {
      const row = under instanceof Element ? under.closest('li[data-key]') : null;
      const dragHandle = row?.querySelector('.check-handle');
      if (!(row instanceof HTMLElement) || !dragHandle || ends.has(row)) return;
      const end = draggable({
        element: row,
        dragHandle,
        getInitialData: () => ({ [DRAGGED_ROW_KEY]: keyAt(row) }),
        onGenerateDragPreview: ({ nativeSetDragImage }) => {
          const key = keyAt(row);
          const currentContext = context.current;
          if (!currentContext || key === undefined) return;
          setCustomNativeDragPreview({
            nativeSetDragImage,
            getOffset: pointerOutsideOfPreview({ x: '12px', y: '8px' }),
            render: ({ container }) => {
              const preview = document.createElement('div');
              preview.className = 'check-preview';
              preview.textContent = nameOf(currentContext, targetsOf(currentContext, key));
              container.append(preview);
            },
          });
        },
      });
      ends.set(row, end);
    };
    // The browser's own drag by touch would end ours.
    const over = ({ target, pointerType }: PointerEvent) => pointerType === 'touch' || prepare(target);
    for (const type of ['pointerover', 'pointerdown'] as const) list.addEventListener(type, over, true);
    // The pointer entered before this chunk was loaded.
    prepare(list.querySelector(':scope > li:hover'));

    const drop = (key: unknown, { row, edge }: Line) => {
      const currentContext = context.current;
      if (!currentContext) return;
      const picked = typeof key === 'number' ? targetsOf(currentContext, key) : [];
      const index = currentContext.keys.indexOf(keyAt(row) ?? -1);
      // The dragged row or the drop target was deleted.
      if (picked.length === 0 || index < 0) return notify(failures.moveItem, 'error');
      const closed = currentContext.visible.folded.has(index);
      const to = edge === 'top' ? index : closed ? endOf(currentContext.checklist, index) : index + 1;
      const section = picked.length === 1 && currentContext.checklist.rows[picked[0] ?? -1]?.kind === 'header';
      moveRows(currentContext, picked, to, section);
    };
    /** The place that the finger is at. */
    let aim: Line | undefined;
    const letGo = (row: HTMLElement) => {
      row.classList.remove('check-dragged');
      setLine(undefined);
    };
    const endTouch = dragByTouch(list, {
      lift: row => {
        aim = undefined;
        if (!row.querySelector('.check-handle')) return false;
        row.classList.add('check-dragged');
        return true;
      },
      move: y => {
        const row = nearest(list, y);
        if (!row) return;
        const { top, height } = row.getBoundingClientRect();
        const edge = y < top + height / 2 ? 'top' : 'bottom';
        if (aim?.row !== row || aim.edge !== edge) {
          aim = { row, edge };
          setLine(aim);
        }
        reveal(row, edge);
      },
      drop: row => {
        letGo(row);
        if (aim && aim.row !== row) drop(keyAt(row), aim);
      },
      cancel: letGo,
    });

    const mine = (data: Record<string | symbol, unknown>) => typeof data[DRAGGED_ROW_KEY] === 'number';
    const end = combine(
      autoScrollWindowForElements(),
      dropTargetForElements({
        element: list,
        canDrop: ({ source }) => mine(source.data),
        getData: ({ input }) => {
          const row = nearest(list, input.clientY);
          return row ? attachClosestEdge({ row }, { element: row, input, allowedEdges: ['top', 'bottom'] }) : {};
        },
        onDrag: ({ self: { data } }) => {
          const edge = extractClosestEdge(data);
          const { row } = data;
          setLine(now => {
            if (!(row instanceof HTMLElement) || (edge !== 'top' && edge !== 'bottom')) return undefined;
            return now?.row === row && now.edge === edge ? now : { row, edge };
          });
        },
        onDragLeave: () => setLine(undefined),
      }),
      monitorForElements({
        canMonitor: ({ source }) => mine(source.data),
        onDragStart: ({ source }) => source.element.classList.add('check-dragged'),
        onDrop: ({ source, location }) => {
          source.element.classList.remove('check-dragged');
          setLine(undefined);
          const [target] = location.current.dropTargets;
          const { row } = target?.data ?? {};
          // Cancelled, or dropped elsewhere.
          if (!target || !(row instanceof HTMLElement)) return;
          const edge = extractClosestEdge(target.data) === 'bottom' ? 'bottom' : 'top';
          drop(source.data[DRAGGED_ROW_KEY], { row, edge });
        },
      }),
    );
    return () => {
      for (const type of ['pointerover', 'pointerdown'] as const) list.removeEventListener(type, over, true);
      for (const stop of ends.values()) stop();
      end();
      endTouch();
    };
  }, [context, notify]);

  // The row may be unmounted.
  if (!line?.row.isConnected) return null;
  return createPortal(<DropIndicator edge={line.edge} gap="0px" type="terminal-no-bleed" />, line.row);
}
