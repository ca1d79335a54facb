import Skeleton from '@atlaskit/skeleton';
import { Suspense, useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { failureMessage } from '../../client/errors.ts';
import type { IssueRef } from '../../client/reading.ts';
import { refusals, shell, storage } from '../../domain/messages.ts';
import type { Row } from '../../text/types.ts';
import { ChecklistHeader } from '../checklist/header.tsx';
import { AddItem, RejectedChanges } from '../checklist/lazy-parts.ts';
import { RowList } from '../checklist/list/list.tsx';
import { lazyComponent } from '../kit/lazy/lazy-component.tsx';
import { Message } from '../kit/message.tsx';
import { useActions } from '../model/checklist/use-actions.ts';
import { failureText, useChecklist } from '../model/checklist/use-checklist.ts';
import { noSelection, useRowKeys } from '../model/rows/row-keys.ts';
import { isFiltering, noFilter, useRowFilter } from '../model/rows/use-row-filter.ts';
import { useHostContext, useUser } from '../shell/services/services.ts';
import '../checklist/checklist.css';

const widths = ['72%', '56%', '64%'];

/** Placeholder of a short checklist's height while it loads. */
export const PanelSkeleton = () => (
  <div className="check-panel check-skeleton" role="status" aria-label="Loading checklist">
    <Skeleton width="100%" height={6} borderRadius="var(--ds-radius-small)" isShimmering />
    {widths.map(width => (
      <Skeleton key={width} width={width} height={20} borderRadius="var(--ds-radius-small)" isShimmering />
    ))}
  </div>
);

const Bar = lazyComponent(() => import('./bar.tsx'));
const Tools = lazyComponent(() => import('./checklist-actions/panel-tools.tsx'));
const ReadOnly = lazyComponent(async () => ({ default: (await import('../checklist/add/add-item.tsx')).ReadOnly }));

const noRows: readonly Row[] = [];

/** An issue's checklist: first read-only from the tracker's copy, then with the commands that permissions grant. */
export default function ChecklistPanel() {
  const { issueId, issueKey } = useHostContext();
  const { canViewChecklist } = useUser();
  if (issueId === undefined || issueKey === undefined)
    return <Message appearance="error">{storage.issueNotFound}</Message>;
  if (!canViewChecklist) return <Message appearance="warning">{refusals.permission}</Message>;
  return <Panel key={issueId} issueId={issueId} issueKey={issueKey} />;
}

function Panel(issue: IssueRef) {
  const user = useUser();
  const { store, view, failure, retry } = useChecklist(issue);
  const actions = useActions(store);
  const input = useRef<() => void>(undefined);
  const opener = useRef<HTMLButtonElement>(null);
  const [announcement, announce] = useState('');
  const focusElsewhere = useCallback(() => {
    const focusInput: (() => void) | undefined = input.current;
    if (focusInput) focusInput();
    else opener.current?.focus();
  }, []);
  const { view: rowView, fold } = useRowFilter(issue.issueId, view?.model);
  const keys = useRowKeys(view?.model.rows ?? noRows);
  const [selection, setSelection] = useState(noSelection);
  const [selecting, setSelecting] = useState(false);
  const [help, setHelp] = useState(false);
  const toggleHelp = useCallback(() => setHelp(open => !open), []);
  const latest = useCallback(() => store.get()?.model, [store]);
  const made = useSyncExternalStore(actions.made.subscribe, actions.made.get);

  if (!view) {
    if (failure === undefined) return <PanelSkeleton />;
    return (
      <Message appearance="error" actions={[{ label: shell.retry, run: retry }]}>
        {failureText(failure)}
      </Message>
    );
  }
  const { model } = view;
  const add = (text: string) => {
    announce('');
    const change = actions.add(text);
    change.outcome.then(
      () => announce('Added.'),
      () => undefined,
    );
    return change;
  };
  return (
    <main className="check-panel">
      <h1 className="check-hidden">{view.name}</h1>
      <ChecklistHeader
        rows={model.rows}
        state={view.state}
        copyPending={view.copyPending}
        volatile={view.volatile}
        onSend={store.sendNow}
      >
        <Suspense fallback={null}>
          <Tools issue={issue} view={view} store={store} actions={actions} openerRef={opener} onHelp={toggleHelp} />
        </Suspense>
      </ChecklistHeader>
      {view.loadError === undefined ? null : (
        <Message
          appearance="error"
          actions={[{ label: shell.retry, run: () => void store.prepare().catch(() => undefined) }]}
        >
          {failureMessage(view.loadError)}
        </Message>
      )}
      {view.rejected.length > 0 ? (
        <Suspense fallback={null}>
          <RejectedChanges changes={view.rejected} onResend={store.resend} onDiscard={store.discard} />
        </Suspense>
      ) : null}
      {model.rows.length > 0 || made.length > 0 ? (
        <Suspense fallback={<div className="check-bar-room" />}>
          <Bar
            store={store}
            checklist={model}
            keys={keys}
            view={rowView}
            user={user}
            actions={actions}
            selection={selection}
            onSelect={setSelection}
            selecting={selecting}
            onSelecting={setSelecting}
            help={help}
            onHelp={setHelp}
            say={announce}
          />
        </Suspense>
      ) : null}
      <RowList
        checklist={model}
        keys={keys}
        visible={rowView.visible}
        actions={actions}
        user={user}
        selection={selection}
        onSelect={setSelection}
        selecting={selecting}
        onFold={fold}
        onDiscard={store.discard}
        latest={latest}
        say={announce}
        onHelp={toggleHelp}
        focusElsewhere={focusElsewhere}
      />
      {model.rows.length > 0 && rowView.visible.shown.length === 0 ? (
        <p className="check-empty" role="status">
          {isFiltering(rowView.filter) ? 'No items match. ' : 'All items are completed. '}
          <button
            type="button"
            className="check-send"
            onClick={() =>
              isFiltering(rowView.filter) ? rowView.setFilter(noFilter) : rowView.setHideCompleted(false)
            }
          >
            {isFiltering(rowView.filter) ? 'Clear filters' : 'Show completed items'}
          </button>
        </p>
      ) : null}
      {model.rows.length === 0 ? (
        <p className="check-empty">
          {user.canAddChecklistItems ? 'No items yet. Add one, or paste a list.' : 'This checklist is empty.'}
        </p>
      ) : null}
      {user.canAddChecklistItems ? (
        <Suspense fallback={<div className="check-add-room" />}>
          <AddItem checklist={model} focusRef={input} onAdd={add} onDiscard={store.discard} />
        </Suspense>
      ) : (
        <Suspense fallback={null}>
          <ReadOnly />
        </Suspense>
      )}
      <p className="check-hidden" role="status">
        {announcement}
      </p>
    </main>
  );
}
