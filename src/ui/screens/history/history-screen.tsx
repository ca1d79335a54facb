import DropdownMenu, { DropdownItemRadio, DropdownItemRadioGroup } from '@atlaskit/dropdown-menu';
import Heading from '@atlaskit/heading';
import { useId, useMemo, useState } from 'react';
import type { RowTouch } from '../../../client/history.ts';
import type { IssueRef } from '../../../client/reading.ts';
import { failures, refusals, storage } from '../../../domain/messages.ts';
import { personName } from '../../../domain/person.ts';
import { builtIn } from '../../../text/status-registry.ts';
import { PersonName } from '../../checklist/inline/inline.tsx';
import { Loading } from '../../kit/content-state.tsx';
import { Failure, Segmented } from '../../kit/form/form.tsx';
import { Message } from '../../kit/message.tsx';
import { QueryError } from '../../kit/query-result.tsx';
import { useLayer } from '../../kit/use-layer.ts';
import { useChecklist } from '../../model/checklist/use-checklist.ts';
import { fullTime, timeSince } from '../../model/days.ts';
import { usePeople } from '../../model/people.tsx';
import { useMinute } from '../../model/today.ts';
import { useChecklistStatuses } from '../../model/use-statuses.ts';
import { BackToChecklist } from '../../shell/plain-pages.tsx';
import { useHostContext, useUser } from '../../shell/services/services.ts';
import { changeKinds, HistoryRowText, kindWords } from './row-change.tsx';
import { Timeline } from './timeline.tsx';
import { type HistoryFilter, useHistory, useRefreshOnChange, useRevert, useTouches } from './use-history.ts';

interface Props {
  filter: HistoryFilter;
  onFilter(filter: HistoryFilter): void;
  /** Authors of the entries loaded so far. */
  accounts: readonly string[];
}

/** Filters by author, kind of change and row. */
function Filters({ filter, onFilter, accounts }: Props) {
  const { account, kind, row } = filter;
  const people = usePeople(accounts);
  const nameOf = (id: string) => personName(people.get(id));
  const without = (key: keyof HistoryFilter) =>
    Object.fromEntries(Object.entries(filter).filter(([name]) => name !== key));
  return (
    <div className="history-filters">
      <Choice
        label="Person"
        chosen={account}
        all="Everyone"
        options={accounts.map(id => ({ value: id, words: nameOf(id) }))}
        onChoose={value => onFilter({ ...without('account'), ...(value !== undefined && { account: value }) })}
      />
      <Choice
        label="Change"
        chosen={kind}
        all="All changes"
        options={changeKinds.map(value => ({ value, words: kindWords[value] }))}
        onChoose={value => onFilter({ ...without('kind'), ...(value !== undefined && { kind: value }) })}
      />
      {row ? (
        <button
          type="button"
          className="history-chip"
          aria-label={`Item: ${row.text}. Show all items`}
          onClick={() => onFilter(without('row'))}
        >
          <span dir="auto">{row.text || 'an empty item'}</span> <span aria-hidden="true">×</span>
        </button>
      ) : null}
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  chosen: Value | undefined;
  /** The option without a filter. */
  all: string;
  options: readonly { value: Value; words: string }[];
  onChoose(value: Value | undefined): void;
}

function Choice<Value extends string>({ label, chosen, all, options, onChoose }: ChoiceProps<Value>) {
  const group = useId();
  const [open, setOpen] = useState(false);
  useLayer(open, () => setOpen(false));
  const choose = (value: Value | undefined) => {
    setOpen(false);
    onChoose(value);
  };
  const words = options.find(({ value }) => value === chosen)?.words ?? all;
  return (
    <DropdownMenu
      trigger={`${label}: ${words}`}
      isOpen={open}
      onOpenChange={({ isOpen }) => setOpen(isOpen)}
      spacing="compact"
      menuLabel={label}
      // Always below its button: the frame grows.
      shouldFlip={false}
      strategy="absolute"
    >
      <DropdownItemRadioGroup id={group}>
        <DropdownItemRadio id="" isSelected={chosen === undefined} onClick={() => choose(undefined)}>
          {all}
        </DropdownItemRadio>
        {options.map(({ value, words }) => (
          <DropdownItemRadio key={value} id={value} isSelected={chosen === value} onClick={() => choose(value)}>
            {words}
          </DropdownItemRadio>
        ))}
      </DropdownItemRadioGroup>
    </DropdownMenu>
  );
}

import './history.css';

interface TouchesProps {
  touches: readonly RowTouch[];
  onRow(touch: RowTouch): void;
}

/** The checklist's rows with their last changes. */
function Touches({ touches, onRow }: TouchesProps) {
  const nowMs = useMinute();
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
              <time dateTime={touch.created} title={fullTime(time)}>
                {timeSince(time.getTime(), nowMs)}
              </time>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** An issue's history: revisions, changes by row, undo and restore. */
export default function HistoryScreen() {
  const { issueId, issueKey } = useHostContext();
  const { canViewChecklist } = useUser();
  if (issueId === undefined || issueKey === undefined)
    return <Message appearance="error">{storage.issueNotFound}</Message>;
  if (!canViewChecklist) return <Message appearance="warning">{refusals.permission}</Message>;
  return <Shown key={issueId} issueId={issueId} issueKey={issueKey} />;
}

type HistoryView = 'events' | 'rows';

const views: readonly { value: HistoryView; words: string }[] = [
  { value: 'events', words: 'Events' },
  { value: 'rows', words: 'By item' },
];

function Shown(issue: IssueRef) {
  const { issueId, issueKey } = issue;
  const user = useUser();
  const { store, view: checklist } = useChecklist(issue);
  useChecklistStatuses(store);
  const [view, setView] = useState<HistoryView>('events');
  const [filter, setFilter] = useState<HistoryFilter>({});
  const history = useHistory(issueId, filter);
  const touches = useTouches(issueId, view === 'rows');
  const revert = useRevert(store, issueId);
  const { base } = checklist ?? {};
  useRefreshOnChange(issueId, base && `${base.epoch} ${base.seq}`);
  const [known, setKnown] = useState<readonly string[]>([]);
  const accounts = useMemo(
    () => [...new Set([...known, ...history.entries.map(({ account }) => account)])].filter(id => id !== ''),
    [known, history.entries],
  );
  if (accounts.length !== known.length) setKnown(accounts);

  const onlyRow = ({ rowId, row }: { rowId: string | null; row: string }) => {
    if (rowId === null) return;
    setFilter({ ...filter, row: { id: rowId, text: row } });
    setView('events');
  };
  const shown = view === 'events' ? history : touches;
  const filtered = Object.keys(filter).length > 0;
  return (
    <main className="history">
      <header className="page-title">
        <Heading as="h1" size="small">{`History of ${issueKey}`}</Heading>
        <BackToChecklist />
      </header>
      <div className="history-bar">
        <Segmented label="Show" options={views} chosen={view} onChoose={setView} />
        {view === 'events' ? <Filters filter={filter} onFilter={setFilter} accounts={accounts} /> : null}
      </div>
      <p className="history-done" role="status">
        {revert.done ? (
          <>
            {revert.done.words}{' '}
            <button type="button" disabled={revert.busy} onClick={() => void revert.undoLast()}>
              Undo
            </button>
          </>
        ) : null}
      </p>
      <Failure of={revert.error} words={failures.updateChecklist} />
      {shown.error && !shown.data ? (
        <QueryError
          title={failures.unknown}
          error={shown.error}
          onRetry={() => void shown.refetch()}
          retrying={shown.isFetching}
        />
      ) : !shown.data ? (
        <Loading />
      ) : view === 'rows' ? (
        <Rows touches={touches.data ?? []} onRow={onlyRow} />
      ) : history.entries.length === 0 && !history.hasNextPage ? (
        <p className="history-none">
          {filtered ? 'No changes match.' : 'No changes yet. Changes to this checklist show here.'}
        </p>
      ) : (
        <Timeline
          issueId={issueId}
          entries={history.entries}
          statuses={checklist?.model.statuses ?? builtIn}
          current={base}
          revert={user.canEditChecklist ? revert : undefined}
          onRow={onlyRow}
          onMore={history.hasNextPage ? () => void history.fetchNextPage() : undefined}
          loadingMore={history.isFetchingNextPage}
        />
      )}
      <Failure of={history.isFetchNextPageError && history.error} />
    </main>
  );
}

const Rows = (props: Parameters<typeof Touches>[0]) =>
  props.touches.length === 0 ? (
    <p className="history-none">The stored history has no changes of items.</p>
  ) : (
    <Touches {...props} />
  );
