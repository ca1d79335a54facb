import { type MouseEvent, type ReactNode, type RefObject, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Change } from '../../client/changes.ts';
import type { ChecklistView } from '../../client/checklist.ts';
import { failureMessage } from '../../client/errors.ts';
import type { IssueRef } from '../../client/reading.ts';
import { shell } from '../../domain/messages.ts';
import type { Row } from '../../text/types.ts';
import { requiredComponent } from '../kit/content-state.tsx';
import { lazyPart, withFallback } from '../kit/lazy-component.tsx';
import { Message } from '../kit/message.tsx';
import { type Actions, useActions } from '../model/checklist/use-actions.ts';
import { failureText, type OpenChecklist, useChecklist } from '../model/checklist/use-checklist.ts';
import { noSelection, type Selection, useRowKeys } from '../model/rows/row-keys.ts';
import { SHOWN_ROWS_AT_FIRST, useRowFilter, type View } from '../model/rows/use-row-filter.ts';
import { useUser } from '../shell/services/services.ts';
import { ChecklistHeader } from './header.tsx';
import { AddItem, RowList } from './list/list.tsx';
import type { ListControls } from './list/list-commands.ts';
import { focusRow } from './list/list-dom.ts';
import type { ListContext } from './list/list-moves.ts';

// Lazy: permissions and rejected changes are known only after the first paint.
export const RejectedChanges = withFallback(requiredComponent('offers', () => import('./rejected-changes.tsx')));
const ReadOnly = lazyPart(async () => ({ default: (await import('./add/add-item.tsx')).ReadOnly }));
/** Presence of other users, and conflicts with them. */
const RowNotes = lazyPart(() => import('./row/row-notes.tsx'));

const noRows: readonly Row[] = [];

/** An issue's checklist with the state of its list on the screen. */
export interface UsedChecklist extends OpenChecklist {
  actions: Actions;
  /** Each row's key, by index. */
  keys: readonly number[];
  rowFilter: View;
  selection: Selection;
  setSelection(selection: Selection): void;
  /** Focuses the input for new items, while there is one. */
  input: RefObject<(() => void) | undefined>;
  /** The list's state, for its commands. */
  list: RefObject<ListContext | undefined>;
}

export function useChecklistView(issue: IssueRef): UsedChecklist {
  const opened = useChecklist(issue);
  const model = opened.view?.model;
  const actions = useActions(opened.store);
  const keys = useRowKeys(model?.rows ?? noRows);
  const rowFilter = useRowFilter(issue.issueId, model, keys);
  const [selection, setSelection] = useState(noSelection);
  const input = useRef<() => void>(undefined);
  const list = useRef<ListContext>(undefined);
  return { ...opened, actions, keys, rowFilter, selection, setSelection, input, list };
}

/** Why the checklist could not be loaded, with a retry button. */
export const LoadFailure = ({ failure, retry }: Pick<OpenChecklist, 'failure' | 'retry'>) => (
  <Message appearance="error" actions={[{ label: shell.retry, run: retry }]}>
    {failureText(failure)}
  </Message>
);

interface Props {
  used: UsedChecklist;
  view: ChecklistView;
  /** Buttons beside the progress. */
  tools: ReactNode;
  /** Below the progress, visible with it while the rows scroll. */
  children?: ReactNode;
  /** Below the input of an empty checklist. */
  start?: ReactNode;
  /** The accessible name of the input for new items. */
  inputLabel?: string;
  /** Whether a plain click selects a row. */
  selecting?: boolean;
  say(words: string): void;
  /** Commands that the screen adds to the keys of the list. */
  controls?: RefObject<ListControls>;
  /** Called when the last row is unmounted with the focus and there is no input. */
  focusElsewhere?: () => void;
}

/** A checklist with its progress, messages, rows, and the input for new items. */
export function ChecklistContent({
  used,
  view,
  tools,
  children,
  start,
  inputLabel,
  selecting = false,
  ...props
}: Props) {
  const { store, actions, keys, rowFilter, selection, setSelection, input } = used;
  const { say, controls, focusElsewhere } = props;
  const user = useUser();
  const [notes, setNotes] = useState<ReadonlyMap<number, ReactNode>>();
  const { model } = view;
  const latest = useCallback(() => store.get()?.model, [store]);
  const focusInput = useCallback(() => (input.current ?? focusElsewhere)?.(), [input, focusElsewhere]);
  const add = (text: string, replaced?: Change) => {
    say('');
    const change = actions.add(text, undefined, replaced && actions.takeBack(replaced));
    change.outcome.then(
      () => say('Added.'),
      () => undefined,
    );
    return change;
  };
  return (
    <>
      <div className="check-head">
        <ChecklistHeader
          rows={model.rows}
          state={view.state}
          copyNotice={view.copyNotice}
          why={view.why}
          volatile={view.volatile}
          onSend={store.sendNow}
        >
          {tools}
        </ChecklistHeader>
        {children}
      </div>
      {user.canAddChecklistItems ? null : <ReadOnly />}
      {view.loadError === undefined ? null : (
        <Message
          appearance="error"
          actions={[{ label: shell.retry, run: () => void store.prepare().catch(() => undefined) }]}
        >
          {failureMessage(view.loadError)}
        </Message>
      )}
      {view.rejected.length > 0 ? (
        <RejectedChanges changes={view.rejected} onResend={store.resend} onDiscard={store.discard} />
      ) : null}
      <RowNotes used={used} model={model} say={say} onNotes={setNotes} />
      <RowList
        checklist={model}
        keys={keys}
        context={used.list}
        visible={rowFilter.visible}
        actions={actions}
        user={user}
        selection={selection}
        onSelect={setSelection}
        selecting={selecting}
        onFold={rowFilter.fold}
        onDiscard={store.discard}
        notes={notes}
        latest={latest}
        onMore={rowFilter.setAll}
        say={say}
        controls={controls}
        focusElsewhere={focusInput}
      />
      <Empty rows={model.rows} view={rowFilter} canAdd={user.canAddChecklistItems} />
      {user.canAddChecklistItems ? (
        <AddItem checklist={model} label={inputLabel} focusRef={input} onAdd={add} onDiscard={store.discard} />
      ) : null}
      {model.rows.length === 0 && user.canAddChecklistItems ? start : null}
    </>
  );
}

interface EmptyProps {
  rows: readonly Row[];
  view: View;
  canAdd: boolean;
}

/** Why no rows are shown, or the rest of a long list. */
function Empty({ rows, view, canAdd }: EmptyProps) {
  if (rows.length === 0) {
    return (
      <p className="check-empty">{canAdd ? 'No items yet. Add one, or paste a list.' : 'This checklist is empty.'}</p>
    );
  }
  const { shown, more, long } = view.visible;
  if (long) {
    const toggle = ({ currentTarget }: MouseEvent) => {
      flushSync(() => view.setAll(more > 0));
      // The button moves: goes on with the first row that came, or with the last that stays.
      const list = currentTarget.previousElementSibling;
      focusRow(list?.querySelectorAll(':scope > [data-key]')[SHOWN_ROWS_AT_FIRST - (more > 0 ? 0 : 1)]);
    };
    return (
      <button type="button" className="check-send" onClick={toggle}>
        {more > 0 ? `Show ${more} more` : 'Show fewer'}
      </button>
    );
  }
  if (shown.length > 0) return null;
  const { filter } = view;
  return (
    <p className="check-empty" role="status">
      {filter ? 'No items match. ' : 'All items are completed. '}
      <button
        type="button"
        className="check-send"
        onClick={() => (filter ? view.setFilter(undefined) : view.setHideCompleted(false))}
      >
        {filter ? 'Clear filters' : 'Show completed items'}
      </button>
    </p>
  );
}
