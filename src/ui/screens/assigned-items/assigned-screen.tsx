import Heading from '@atlaskit/heading';
import { useCallback, useState, useSyncExternalStore } from 'react';
import type { AssignedCounts } from '../../../client/assigned.ts';
import { failureMessage } from '../../../client/errors.ts';
import { failures, refusals, shell, whole, assigned as words } from '../../../domain/messages.ts';
import { RejectedChanges } from '../../checklist/checklist-view.tsx';
import { UndoLine } from '../../checklist/undo-line.tsx';
import { Loading } from '../../kit/content-state.tsx';
import { Message } from '../../kit/message.tsx';
import { QueryError } from '../../kit/query-result.tsx';
import { HelpButton } from '../../shell/help/help-overlay.tsx';
import { useGo } from '../../shell/navigation/navigation.ts';
import { useHostContext, useUser } from '../../shell/services/services.ts';
import { AssignedFilters } from './assigned-filters.tsx';
import { AssignedList } from './assigned-list.tsx';
import { groupsOf } from './groups.ts';
import { OpenIssuesProvider, useOpenIssues } from './open-issues.tsx';
import {
  type AssignedView,
  type IssuePermissions,
  isNarrow,
  useAssigned,
  useIssuePermissions,
  useKeptItems,
  wholeView,
} from './use-assigned.ts';
import '../../checklist/checklist.css';
import '../../checklist/bar.css';
import './assigned.css';

/** Assigned items across issues and projects, or in one project on its page. */
export default function AssignedScreen() {
  const { isAnonymous } = useUser();
  return isAnonymous ? <Message appearance="warning">{refusals.permission}</Message> : <Items />;
}

function Items() {
  const { projectId } = useHostContext();
  const [view, setView] = useState(() => wholeView(projectId));
  const assigned = useAssigned(view);
  return (
    <OpenIssuesProvider onChange={assigned.changed}>
      <Shown view={view} onView={setView} assigned={assigned} />
    </OpenIssuesProvider>
  );
}

interface Props {
  view: AssignedView;
  onView(view: AssignedView): void;
  assigned: ReturnType<typeof useAssigned>;
}

function Shown({ view, onView, assigned }: Props) {
  const { list, counts, today, asked } = assigned;
  const { projectId } = useHostContext();
  const go = useGo();
  const open = useOpenIssues();
  const keptItems = useKeptItems(assigned, asked, open.touched);
  const { issues, lost } = useIssuePermissions(keptItems.issues, assigned.changed);
  const items = keptItems.items.filter(({ issueId }) => !lost.some(({ id }) => id === issueId));
  const [announcement, announce] = useState('');
  const more = useCallback(() => void list.fetchNextPage(), [list.fetchNextPage]);
  return (
    <main className="check-panel assigned">
      <header className="assigned-title">
        <Heading as="h1" size="medium">
          Assigned checklist items
        </Heading>
        <p className="assigned-sum" role="status">
          {counts ? sumOf(view, counts) : ''}
        </p>
        <button type="button" className="check-send" onClick={() => go('/notifications')}>
          Notifications
        </button>
        <HelpButton onClick={() => go('/help')} />
      </header>
      <AssignedFilters
        view={view}
        counts={counts}
        projectNames={assigned.projectNames}
        projectId={projectId}
        onView={onView}
      />
      <p className="assigned-stale" role="status">
        {assigned.stale ? (
          <>
            This list has changed.{' '}
            <button type="button" className="check-send" onClick={assigned.anew}>
              Refresh
            </button>
          </>
        ) : null}
      </p>
      <Lost lost={lost} />
      <ChangeState say={announce} />
      {list.error && !list.data ? (
        <QueryError title={failures.unknown} error={list.error} onRetry={assigned.retry} retrying={list.isFetching} />
      ) : !list.data ? (
        <Loading />
      ) : (
        <>
          {list.error ? (
            <Message appearance="error" actions={[{ label: shell.retry, run: assigned.retry }]}>
              {failureMessage(list.error)}
            </Message>
          ) : null}
          {items.length === 0 && !list.hasNextPage ? (
            <Nothing view={view} counts={counts} onView={onView} />
          ) : (
            <div className="assigned-list" aria-busy={list.isPlaceholderData}>
              <AssignedList
                groups={groupsOf(items, issues, view, today)}
                issues={issues}
                counts={counts}
                onMore={list.hasNextPage ? more : undefined}
                loadingMore={list.isFetchingNextPage}
                idle={!list.isFetching && !list.isError}
              />
            </div>
          )}
        </>
      )}
      <p className="check-hidden" role="status">
        {announcement}
      </p>
    </main>
  );
}

/** Message about issues that are not visible to the user any more, until dismissed. */
function Lost({ lost }: Pick<IssuePermissions, 'lost'>) {
  const [read, setRead] = useState<readonly string[]>([]);
  const keys = lost.flatMap(({ id, key }) => (read.includes(id) ? [] : key));
  return (
    <p className="assigned-lost" role="status">
      {keys.length > 0 ? (
        <>
          {words.lost(keys)}{' '}
          <button type="button" className="check-send" onClick={() => setRead(lost.map(({ id }) => id))}>
            Dismiss
          </button>
        </>
      ) : null}
    </p>
  );
}

function sumOf({ status }: AssignedView, { all, overdue, partial }: AssignedCounts): string {
  const kind = status === 'open' ? 'open ' : status === 'checked' ? 'completed ' : '';
  const more = partial ? '+' : '';
  const items = `${all.toLocaleString('en')}${more} ${kind}${all === 1 && !partial ? 'item' : 'items'}`;
  return overdue > 0 && status === 'open' ? `${items}, ${overdue.toLocaleString('en')}${more} overdue` : items;
}

function Nothing({ view, counts, onView }: Pick<Props, 'view' | 'onView'> & { counts: AssignedCounts | undefined }) {
  const { who, order, status } = view;
  const done = counts?.statuses.some(({ checked, count }) => checked && (count ?? 0) > 0) ?? false;
  const [what, action, next]: [string, string?, AssignedView?] = isNarrow(view)
    ? ['No items match.', 'Clear filters', { ...wholeView(undefined), who, order }]
    : done && status === 'open'
      ? [words.done[who.kind], 'Show completed items', { ...view, status: 'checked' }]
      : [words.none[who.kind]];
  return (
    <p className="check-empty" role="status">
      {what}{' '}
      {action && next ? (
        <button type="button" className="check-send" onClick={() => onView(next)}>
          {action}
        </button>
      ) : null}
    </p>
  );
}

/** The state of changes made here, with undo. */
function ChangeState({ say }: { say(words: string): void }) {
  const open = useOpenIssues();
  const issues = useSyncExternalStore(open.subscribe, open.get);
  const last = useSyncExternalStore(open.last.subscribe, open.last.get);
  const history = last === undefined ? undefined : issues.get(last)?.history;
  const allIssues = [...issues.values()];
  const waiting = allIssues.filter(({ view }) => view?.state === 'waiting');
  return (
    <>
      {waiting.length > 0 ? (
        <p className="check-waiting">
          <span role="status">
            {whole.notSaved} {waiting.some(({ view }) => view?.volatile) ? `${whole.keepOpen} ` : ''}Retrying
            automatically.
          </span>
          <button
            type="button"
            className="check-send"
            onClick={() => {
              for (const { store } of waiting) store.sendNow();
            }}
          >
            Retry now
          </button>
        </p>
      ) : null}
      {allIssues.map(({ store, view }) =>
        view && view.rejected.length > 0 ? (
          <RejectedChanges
            key={store.issueId}
            changes={view.rejected}
            onResend={store.resend}
            onDiscard={store.discard}
          />
        ) : null,
      )}
      {history ? <UndoLine key={last} history={history} say={say} /> : null}
    </>
  );
}
