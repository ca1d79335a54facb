import { EditorSelection } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type MouseEvent,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Store } from '../../../../client/store.ts';
import { checklistOf, tick } from '../../../../editor/index.ts';
import { type Section, sections } from '../../../../text/progress.ts';
import { rangeOf } from '../../../../text/rows.ts';
import type { CheckboxRow, Row } from '../../../../text/types.ts';
import { keyAt } from '../../../checklist/list/list-dom.ts';
import { PreviewHeader, PreviewItem } from '../../../checklist/row/static-row.tsx';
import { linesToMount, observeShown, piecesOf, virtual } from '../../../kit/virtual-list.ts';
import { type Keyed, keyRows, unkeyedRows } from '../../../model/rows/row-keys.ts';
import { lineOf } from '../../../model/rows/row-segments.ts';
import type { Shown } from './split-view.tsx';
import { useSyncedScroll } from './synced-scroll.ts';
import '../../../checklist/checklist.css';
import '../../../checklist/row/row.css';

/** A shown row's index in the current text, which may be newer than the rendered rows; -1 if it no longer exists. */
function indexNow({ view }: Shown, shown: Keyed, row: Row): number {
  const key = shown.keys[shown.rows.indexOf(row)];
  return key === undefined ? -1 : keyRows(shown, checklistOf(view.state).rows).keys.indexOf(key);
}

/** Puts the cursor at the end of a row's visible text. */
function goTo({ view }: Shown, index: number): void {
  const checklist = checklistOf(view.state);
  const row = checklist.rows[index];
  if (!row) return;
  const at = rangeOf(checklist, index).from + row.content.to;
  view.dispatch({ selection: EditorSelection.cursor(at), effects: EditorView.scrollIntoView(at, { y: 'nearest' }) });
  view.focus();
}

interface Props {
  source: Store<Shown | undefined>;
  editable: boolean;
}

/** The preview of the text as a checklist. */
export default function Preview({ source, editable }: Props) {
  const [shown, show] = useState(source.get);
  useEffect(() => {
    // Low priority: typing stays responsive.
    const follow = () => startTransition(() => show(source.get()));
    follow();
    return source.subscribe(follow);
  }, [source]);
  const showNow = useCallback(() => show(source.get()), [source]);
  return shown ? <Rows shown={shown} editable={editable} showNow={showNow} /> : null;
}

/** The estimated height of a row before it is measured; rows are mounted beyond the visible ones, on both sides. */
const ROW_HEIGHT_PX = 32;
const OVERSCAN_ROWS = 20;

interface RowsProps {
  shown: Shown;
  editable: boolean;
  /** Updates the rows at once: a deferred update would revert a clicked checkbox for a moment. */
  showNow(): void;
}

function Rows({ shown, editable, showNow }: RowsProps) {
  const { view, checklist, current } = shown;
  const { rows } = checklist;
  const [keys, setKeys] = useState(() => keyRows(unkeyedRows, rows));
  const named = keys.rows === rows ? keys : keyRows(keys, rows);
  // Derives state from props during rendering, before paint.
  if (named !== keys) setKeys(named);
  const owned = useMemo(() => new Map<number, Section>(sections(checklist).map(one => [one.header, one])), [checklist]);
  const pane = useRef<HTMLElement>(null);
  /** Key of the row whose checkbox has the focus: it stays mounted. */
  const [focused, setFocused] = useState<number | undefined>(undefined);
  const virtualizer = useVirtualizer<HTMLElement, HTMLLIElement>({
    ...virtual,
    count: rows.length,
    getScrollElement: () => pane.current,
    observeElementRect: observeShown,
    getItemKey: useCallback(index => named.keys[index] ?? index, [named]),
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    rangeExtractor: range =>
      linesToMount(
        range,
        [named.keys.indexOf(focused ?? -1)].filter(index => index >= 0),
      ),
  });
  const sync = useSyncedScroll({ view, checklist, pane, virtualizer });
  // Newly mounted rows move the rows below.
  const { range } = virtualizer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what moves rows.
  useLayoutEffect(sync, [sync, range?.startIndex, range?.endIndex]);
  const latest = useRef({ shown, named });
  useEffect(() => {
    latest.current = { shown, named };
  });
  const onToggle = useCallback(
    (row: CheckboxRow) => {
      const { shown, named } = latest.current;
      tick(shown.view, indexNow(shown, named, row));
      showNow();
    },
    [showNow],
  );

  const onClick = (event: MouseEvent) => {
    const { target } = event;
    if (!(target instanceof Element) || target.closest('a, label, input')) return;
    const row = rows[named.keys.indexOf(keyAt(target) ?? Number.NaN)];
    if (row) goTo(shown, indexNow(shown, named, row));
  };
  // Opens the tracker's pages in a new tab, too: the dialog holds unsaved edits.
  const onClickCapture = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a mouse shortcut; keys move the cursor in the text itself.
    <section
      ref={pane}
      className="preview-scroll check-panel"
      aria-label="Preview"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard.
      tabIndex={0}
      onClick={onClick}
      onClickCapture={onClickCapture}
      onFocus={({ target }) => setFocused(keyAt(target))}
      onBlur={() => setFocused(undefined)}
    >
      <ul className="preview-rows">
        {piecesOf(virtualizer.getVirtualItems(), virtualizer.getTotalSize()).map(piece => {
          if ('room' in piece) return <li key={piece.key} aria-hidden="true" style={{ height: piece.room }} />;
          const { index } = piece;
          const row = rows[index];
          if (!row) return null;
          const line = lineOf(checklist, index, row);
          const progress = owned.get(index)?.progress;
          return (
            <li
              key={named.keys[index]}
              ref={virtualizer.measureElement}
              className="preview-row"
              data-key={named.keys[index]}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              aria-current={row === current ? 'true' : undefined}
            >
              {row.kind === 'header' ? (
                <PreviewHeader row={row} line={line} checked={progress?.checked ?? 0} total={progress?.total ?? 0} />
              ) : (
                <PreviewItem row={row} line={line} editable={editable} onToggle={onToggle} />
              )}
            </li>
          );
        })}
      </ul>
      {rows.length === 0 ? <p className="check-empty">This checklist is empty.</p> : null}
    </section>
  );
}
