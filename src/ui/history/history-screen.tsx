import Heading from '@atlaskit/heading';
import { useMemo, useState } from 'react';
import type { RowTouch } from '../../client/history.ts';
import type { IssueRef } from '../../client/reading.ts';
import { failures, refusals, storage } from '../../domain/messages.ts';
import { builtIn } from '../../text/statuses.ts';
import { PersonName } from '../checklist/inline/person.tsx';
import { ErrorView } from '../kit/error-view.tsx';
import { Loading } from '../kit/loading.tsx';
import { Message } from '../kit/message.tsx';
import { Segmented } from '../kit/segmented.tsx';
import { useChecklist } from '../model/checklist/use-checklist.ts';
import { clockTime, dayName, recentTime } from '../model/days.ts';
import { useMinute } from '../model/today.ts';
import { BackToChecklist } from '../shell/navigation/back-button.tsx';
import { useHostContext, useUser } from '../shell/services/services.ts';
import { kindWords } from './change-text.ts';
import { Filters } from './history-filters.tsx';
import { HistoryRowText } from './row-change.tsx';
import { Timeline } from './timeline.tsx';
import { type HistoryFilter, useHistory, useRefreshOnChange, useTouches } from './use-history.ts';
import { useRevert } from './use-revert.ts';
import './history.css';

interface TouchesProps {
  touches: readonly RowTouch[];
  onRow(touch: RowTouch): void;
}

/** Each row of the checklist with who touched it last. */
export function Touches({ touches, onRow }: TouchesProps) {
  const now = useMinute();
  return (
    <ul className="history-touches">
      {touches.map(touch => {
        const time = new Date(touch.created);
        return (
          <li key={touch.rowId} className={touch.header ? 'history-header' : undefined}>
            <button type="button" className="history-touched" dir="auto" onClick={() => onRow(touch)}>
              <HistoryRowText text={touch.row} linked />
            </button>
            <span className="history-by">
              <PersonName accountId={touch.account} /> · {kindWords[touch.kind].toLowerCase()} ·{' '}
              <time dateTime={touch.created} title={`${dayName(time, new Date(now))} ${clockTime(time)}`}>
                {recentTime(time.getTime(), now) ?? `${dayName(time, new Date(now))} ${clockTime(time)}`}
              </time>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Who changed an issue's checklist, when and how, and the ways back. */
export default function HistoryScreen() {
  const { issueId, issueKey } = useHostContext();
  const { canViewChecklist } = useUser();
  if (issueId === undefined || issueKey === undefined)
    return <Message appearance="error">{storage.issueNotFound}</Message>;
  if (!canViewChecklist) return <Message appearance="warning">{refusals.permission}</Message>;
  return <Shown key={issueId} issueId={issueId} issueKey={issueKey} />;
}

type Sight = 'events' | 'rows';

const sights: readonly { value: Sight; words: string }[] = [
  { value: 'events', words: 'Events' },
  { value: 'rows', words: 'By row' },
];

function Shown(issue: IssueRef) {
  const { issueId, issueKey } = issue;
  const user = useUser();
  const { store, view } = useChecklist(issue);
  const [sight, setSight] = useState<Sight>('events');
  const [filter, setFilter] = useState<HistoryFilter>({});
  const history = useHistory(issueId, filter);
  const touches = useTouches(issueId, sight === 'rows');
  const back = useRevert(store, issueId);
  const { base } = view ?? {};
  useRefreshOnChange(issueId, base && `${base.epoch} ${base.seq}`);
  const [accounts, setAccounts] = useState<readonly string[]>([]);
  const seen = useMemo(
    () => [...new Set([...accounts, ...history.entries.map(({ account }) => account)])].filter(id => id !== ''),
    [accounts, history.entries],
  );
  if (seen.length !== accounts.length) setAccounts(seen);

  const onlyRow = ({ rowId, row }: { rowId: string | null; row: string }) => {
    if (rowId === null) return;
    setFilter({ ...filter, row: { id: rowId, text: row } });
    setSight('events');
  };
  const shown = sight === 'events' ? history : touches;
  const filtered = Object.keys(filter).length > 0;
  return (
    <main className="history">
      <header className="history-title">
        <Heading as="h1" size="small">{`History of ${issueKey}`}</Heading>
        <BackToChecklist />
      </header>
      <div className="history-bar">
        <Segmented label="Show" options={sights} chosen={sight} onChoose={setSight} />
        {sight === 'events' ? <Filters filter={filter} onFilter={setFilter} accounts={seen} /> : null}
      </div>
      <p className="history-done" role="status">
        {back.done ? (
          <>
            {back.done.words}{' '}
            <button type="button" disabled={back.busy} onClick={() => void back.takeBack()}>
              Undo
            </button>
          </>
        ) : null}
      </p>
      {shown.error && !shown.data ? (
        <ErrorView title={failures.unknown} onRetry={() => void shown.refetch()} retrying={shown.isFetching} />
      ) : !shown.data ? (
        <Loading />
      ) : sight === 'rows' ? (
        <Rows touches={touches.data ?? []} onRow={onlyRow} />
      ) : history.entries.length === 0 && !history.hasNextPage ? (
        <p className="history-none">
          {filtered ? 'Nothing that fits is in the history.' : 'Nothing has happened to this checklist yet.'}
        </p>
      ) : (
        <Timeline
          issueId={issueId}
          entries={history.entries}
          statuses={view?.model.statuses ?? builtIn}
          current={base}
          back={user.canEditChecklist ? back : undefined}
          onRow={onlyRow}
          onMore={history.hasNextPage ? () => void history.fetchNextPage() : undefined}
          loadingMore={history.isFetchingNextPage}
        />
      )}
    </main>
  );
}

const Rows = (props: Parameters<typeof Touches>[0]) =>
  props.touches.length === 0 ? (
    <p className="history-none">No row of this checklist was changed in what is kept.</p>
  ) : (
    <Touches {...props} />
  );
