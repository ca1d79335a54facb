import { Suspense, useRef, useState } from 'react';
import type { ChecklistStore } from '../../client/checklist.ts';
import type { User } from '../../domain/user.ts';
import type { Checklist } from '../../text/types.ts';
import { focusRow } from '../checklist/list/list-dom.ts';
import { UndoLine } from '../checklist/undo/undo-line.tsx';
import { useUndoKeys } from '../checklist/undo/use-undo-keys.ts';
import { lazyComponent } from '../kit/lazy/lazy-component.tsx';
import type { Actions } from '../model/checklist/use-actions.ts';
import { useUndo } from '../model/checklist/use-undo.ts';
import { isFiltering } from '../model/rows/row-filter.ts';
import { noSelection, type Selection } from '../model/rows/row-selection.ts';
import type { View } from '../model/rows/use-row-filter.ts';
import { useChecklistStatuses } from '../model/statuses/use-checklist-statuses.ts';
import { Bulk } from './bulk-actions.tsx';
import { Filters } from './row-filters.tsx';
import { useVisibleTop } from './use-visible-top.ts';
import '../checklist/bar.css';

const Help = lazyComponent(() => import('./keyboard-help.tsx'));

interface Props {
  store: ChecklistStore;
  checklist: Checklist;
  keys: readonly number[];
  view: View;
  user: User;
  actions: Actions;
  selection: Selection;
  onSelect(selection: Selection): void;
  selecting: boolean;
  onSelecting(value: boolean): void;
  help: boolean;
  onHelp(open: boolean): void;
  say(words: string): void;
}

/** What can be done with the list as a whole: what of it shows, what becomes of selected rows, and the way back. */
export default function Bar(props: Props) {
  const { store, checklist, keys, view, user, actions, selection, onSelect, selecting, onSelecting, help, onHelp } =
    props;
  const [filters, setFilters] = useState(false);
  const helper = useRef<HTMLButtonElement>(null);
  const history = useUndo(store, actions, user);
  useChecklistStatuses(store);
  useUndoKeys(history);
  const floats = selection.keys.size > 0;
  const { ref, top } = useVisibleTop<HTMLDivElement>();
  const selected = checklist.rows.filter((_, index) => selection.keys.has(keys[index] ?? -1));
  /** Ends the selection. The toolbar goes with it, so the focus goes to what was selected; from rows that go, it goes on. */
  const release = () => {
    const [key] = selection.keys;
    focusRow(document.querySelector(`.check-rows > [data-key="${key}"]`));
    onSelect(noSelection);
  };
  const filtering = isFiltering(view.filter);
  const done = checklist.rows.some(row => row.kind === 'checkbox' && row.status.checked);
  return (
    <>
      <div ref={ref} className="check-bar" style={top > 0 ? { transform: `translateY(${top}px)` } : undefined}>
        {selected.length > 0 ? (
          <Bulk rows={selected} user={user} actions={actions} onDone={release} />
        ) : (
          <div className={`check-tools${top > 0 && !floats ? ' check-away' : ''}`} hidden={checklist.rows.length === 0}>
            <button
              type="button"
              className="check-tool"
              aria-expanded={filters || filtering}
              aria-pressed={filtering}
              onClick={() => setFilters(!filters)}
            >
              Filter
            </button>
            {done || view.hideCompleted ? (
              <button
                type="button"
                className="check-tool"
                aria-pressed={view.hideCompleted}
                onClick={() => view.setHideCompleted(!view.hideCompleted)}
              >
                {view.seen.hidden > 0 ? `${view.seen.hidden} completed hidden` : 'Hide completed'}
              </button>
            ) : null}
            {user.canChangeItemStatuses || user.canDeleteChecklistItems ? (
              <button
                type="button"
                className="check-tool"
                aria-pressed={selecting}
                onClick={() => onSelecting(!selecting)}
              >
                Select
              </button>
            ) : null}
            <button
              ref={helper}
              type="button"
              className="check-tool"
              aria-label="Keyboard shortcuts"
              aria-expanded={help}
              onClick={() => onHelp(!help)}
            >
              ?
            </button>
          </div>
        )}
        <UndoLine history={history} say={props.say} />
      </div>
      {filters || filtering ? <Filters checklist={checklist} view={view} /> : null}
      {help ? (
        <Suspense fallback={null}>
          <Help button={helper} onClose={() => onHelp(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
