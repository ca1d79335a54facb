import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Change } from '../../../client/changes.ts';
import type { User } from '../../../domain/user.ts';
import { type Section, sections } from '../../../text/progress.ts';
import type { Checklist } from '../../../text/types.ts';
import { requiredComponent } from '../../kit/content-state.tsx';
import { lazyPart, withFallback } from '../../kit/lazy-component.tsx';
import type { Actions } from '../../model/checklist/use-actions.ts';
import { extendSelection, noSelection, type Selection, toggleSelection } from '../../model/rows/row-keys.ts';
import { lineOf } from '../../model/rows/row-segments.ts';
import type { VisibleRows } from '../../model/rows/use-row-filter.ts';
import { useServices } from '../../shell/services/services.ts';
import { ItemRow, SectionRow } from '../row/row.tsx';
import { rowPermissions } from '../row/row-parts.tsx';
import type { ListControls } from './list-commands.ts';
import { controlAt, focusRow, isOwnKey, keyAt } from './list-dom.ts';
import type { ListContext } from './list-moves.ts';
import '../checklist.css';

const Drag = lazyPart(() => import('./drag.tsx'));

/** The input for new items. Lazy: permissions are known only after the first paint. */
export const AddItem = withFallback(
  requiredComponent('add', () => import('../add/add-item.tsx')),
  <div className="check-add-room" />,
);

export interface ListProps {
  checklist: Checklist;
  /** Each row's key, by index. */
  keys: readonly number[];
  visible: VisibleRows;
  actions: Actions;
  user: User;
  selection: Selection;
  onSelect(selection: Selection): void;
  /** Whether a plain click selects, for use without a keyboard. */
  selecting: boolean;
  onFold(checklist: Checklist, index: number | undefined, closed: boolean): void;
  onDiscard(id: string): void;
  /** Notices shown below rows, by the rows' keys. */
  notes: ReadonlyMap<number, ReactNode> | undefined;
  /** The newest snapshot, possibly not rendered yet. */
  latest(): Checklist | undefined;
  /** Shows the rest of a long list. */
  onMore(all: boolean): void;
  /** Announces a text to screen readers. */
  say(words: string): void;
  /** Commands that the screen adds to the keys. */
  controls?: RefObject<ListControls> | undefined;
  /** Set to the list's state, for what runs its commands. */
  context: RefObject<ListContext | undefined>;
  /** Called when the focused row was the last one and is unmounted. */
  focusElsewhere(): void;
}

/** The list's commands, a lazy chunk. */
const loadKeys = () => import('./list-keys.ts');

/** The other rows of a long list follow in a transition. */
const FIRST_PAINT_ROWS = 60;

/** The position of the input for new items: below the row of that key, which was last at that index. */
interface Adding {
  key: number | undefined;
  index: number;
}

/** The rows in text order. Only new row objects are rendered again. */
export const RowList = memo(function RowList(props: ListProps) {
  const { checklist, keys, visible, actions, user, selection, onSelect, selecting } = props;
  const { rows } = checklist;
  const { shown } = visible;
  const [whole, setWhole] = useState(shown.length <= FIRST_PAINT_ROWS);
  useEffect(() => {
    startTransition(() => setWhole(true));
    void loadKeys().catch(() => undefined);
  }, []);
  const list = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState<number | undefined>(undefined);
  const [adding, setAdding] = useState<Adding | undefined>(undefined);
  /** From the start for fingers, whose first touch may be a long press. */
  const [draggable, setDraggable] = useState(navigator.maxTouchPoints > 0);
  const owned = useMemo(() => new Map<number, Section>(sections(checklist).map(one => [one.header, one])), [checklist]);
  const shownKeys = shown.flatMap(index => keys[index] ?? []);
  const stop = active !== undefined && shownKeys.includes(active) ? active : shownKeys[0];

  /** The focused row's position among the visible rows; `undefined` if the focus is elsewhere. */
  const focused = useRef<number | undefined>(undefined);
  /** Whether the focus is in a row's field. */
  const typing = useRef<boolean>(false);
  const { context, focusElsewhere } = props;
  useLayoutEffect(() => {
    const at = focused.current;
    // The focused row is unmounted: focus the row now at its position, else the last row.
    if (at === undefined) return;
    const key = keyAt(document.activeElement);
    // The row may have been moved with the focus.
    if (key !== undefined) focused.current = shown.findIndex(index => keys[index] === key);
    if (document.activeElement !== document.body) return;
    // Keys typed for a removed field must not run a command at another row.
    if (typing.current) return;
    const position = Math.min(at, shown.length - 1);
    if (!focusRow(list.current?.children[position])) {
      focused.current = undefined;
      focusElsewhere();
    }
  }, [shown, keys, focusElsewhere]);

  const addingIndex = adding?.key === undefined ? -1 : keys.indexOf(adding.key);
  const below = adding && (addingIndex >= 0 ? addingIndex : Math.min(adding.index, rows.length - 1));
  const belowKey = below === undefined ? undefined : keys[below];
  useLayoutEffect(() => {
    if (below === undefined) return;
    // Follows its row; keeps the index if the row is deleted.
    setAdding(now => (now && (now.key !== belowKey || now.index !== below) ? { key: belowKey, index: below } : now));
  }, [below, belowKey]);

  const openAdd = (index: number, header = rows[index]?.kind === 'header') => {
    const next = header ? rows.findIndex(({ kind }, at) => at > index && kind === 'header') : index + 1;
    const last = (next < 0 ? rows.length : next) - 1;
    // Opens a closed section, to show the new item.
    if (header && visible.folded.has(index)) props.onFold(checklist, index, false);
    setAdding({ key: keys[last], index: last });
  };
  const add = (text: string, replaced?: Change): Change => {
    const at = below ?? rows.length - 1;
    const before = props.latest()?.rows.length ?? 0;
    const added = () => (props.latest()?.rows.length ?? 0) - before;
    const takenBack = replaced ? actions.takeBack(replaced) : [];
    const change = actions.add(text, at + added() + 1, takenBack);
    setAdding({ key: undefined, index: at + added() });
    return change;
  };
  const closeAdd = () => {
    setAdding(undefined);
    focusRow(list.current?.querySelector(`[data-key="${belowKey}"]`));
  };

  const may = rowPermissions(user, rows.length);
  const services = useServices();
  useLayoutEffect(() => {
    context.current = { ...props, list: list.current, controls: props.controls?.current, services, may, openAdd };
  });
  /** Pressed keys that the list's commands have not got yet. */
  const [pressed] = useState<KeyboardEvent[]>([]);

  /** Passes a key to the list's commands, behind the keys that wait for them. */
  const press = (event: KeyboardEvent) => {
    event.preventDefault();
    pressed.push(event);
    // Without the commands, no key waits on.
    void loadKeys()
      .then(({ perform }) => perform(pressed, context))
      .catch(() => undefined)
      .then(() => pressed.splice(0));
  };
  const click = (event: MouseEvent) => {
    const key = keyAt(event.target);
    const control = controlAt(event.target);
    const isBox = control?.matches('.check-tick input');
    if (key === undefined || (control && !isBox)) return;
    if (event.shiftKey) onSelect(extendSelection(selection, key, shownKeys, active));
    else if (selecting || event.ctrlKey || event.metaKey) onSelect(toggleSelection(selection, key));
    else if (selection.keys.size > 0 && !isBox) onSelect(noSelection);
    else return;
    // The row does not open its editor, and its box does not tick.
    event.preventDefault();
    event.stopPropagation();
  };
  const focus = ({ target }: FocusEvent) => {
    const key = keyAt(target);
    if (key === undefined) return;
    focused.current = shownKeys.indexOf(key);
    typing.current = target.closest('.check-field') !== null;
    setActive(key);
  };
  return (
    <>
      <ul
        className="check-rows"
        ref={list}
        hidden={rows.length === 0}
        // Escape ends the mode of selecting (`bar.tsx`).
        onKeyDown={event =>
          isOwnKey(event, pressed.length > 0) && !(selecting && event.key === 'Escape') && press(event)
        }
        onClickCapture={click}
        onMouseDown={event => {
          // Shift selects rows, not text.
          if (event.shiftKey && keyAt(event.target) !== undefined && !controlAt(event.target)) event.preventDefault();
        }}
        onFocus={focus}
        onBlur={() => {
          focused.current = undefined;
        }}
        // Not "enter": React misses it when what was under the pointer is removed, as an empty checklist's field is.
        onPointerOver={() => setDraggable(true)}
      >
        {(whole ? shown : shown.slice(0, FIRST_PAINT_ROWS)).flatMap((index, position) => {
          const row = rows[index];
          const key = keys[index];
          if (!row || key === undefined) return [];
          const line = lineOf(checklist, index, row);
          const section = owned.get(index)?.progress;
          const selected = selection.keys.has(key);
          const listed = { ...may, line, actions, list: context, tab: key === stop ? 0 : -1 } as const;
          const opens = below !== undefined && index <= below && (shown[position + 1] ?? rows.length) > below;
          const item = (
            <li key={key} data-key={key} className={selected ? 'check-selected' : undefined}>
              {selected ? <span className="check-hidden">Selected</span> : null}
              {row.kind === 'header' ? (
                <SectionRow
                  {...listed}
                  row={row}
                  checked={section?.checked ?? 0}
                  total={section?.total ?? 0}
                  folded={visible.folded.has(index)}
                />
              ) : (
                <ItemRow {...listed} row={row} />
              )}
              {props.notes?.get(key)}
            </li>
          );
          // Keyed on its own: typed text survives the deletion of the row above.
          return opens
            ? [
                item,
                <li key="add">
                  <AddItem
                    checklist={checklist}
                    below={row}
                    onAdd={add}
                    onDiscard={props.onDiscard}
                    onClose={closeAdd}
                  />
                </li>,
              ]
            : [item];
        })}
      </ul>
      {draggable && may.canMove && <Drag context={context} />}
    </>
  );
});
