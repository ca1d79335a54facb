import Button from '@atlaskit/button/new';
import { Suspense, useId, useState } from 'react';
import type { HistoryEntry, Position, RowChange } from '../../../client/history.ts';
import { conflicts as messages, whole } from '../../../domain/messages.ts';
import { OUTSIDE_ACCOUNT } from '../../../domain/person.ts';
import { isDefaultName } from '../../../domain/storage.ts';
import { nameIn } from '../../../text/export/person.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import { Person } from '../../checklist/inline/inline.tsx';
import { Loading, requiredComponent } from '../../kit/content-state.tsx';
import { conflictParts } from '../../model/checklist/conflict-text.ts';
import { byDay, clockTime, fullTime, timeSince } from '../../model/days.ts';
import { useKnownNames, usePerson } from '../../model/people.tsx';
import { useMinute } from '../../model/today.ts';
import { ChangeLine, entrySummary, isForeign, outside } from './row-change.tsx';
import type { Revert } from './use-history.ts';

const Difference = requiredComponent('difference', () => import('./revision-difference.tsx'));

/** An entry shows this many changes at first. */
const MAX_SHOWN_CHANGES = 5;

/** The values that two users gave at the same time: the revision has one of them. */
function Conflicts({ conflicts }: Pick<HistoryEntry, 'conflicts'>) {
  const nameOf = nameIn(useKnownNames()());
  if (conflicts.length === 0) return null;
  return (
    <ul className="history-changes">
      {conflicts.map(conflict => {
        const { row, what, mine, theirs } = conflictParts(conflict, nameOf);
        return (
          <li key={`${conflict.rowId} ${conflict.attribute} ${conflict.row}`} dir="auto">
            {messages.recorded(row, what, mine, theirs)}
          </li>
        );
      })}
    </ul>
  );
}

/** A changed name of the checklist in words; `undefined` if it is the same. */
function renamed({ name, previousName }: HistoryEntry): string | undefined {
  if (previousName === null) return undefined;
  return isDefaultName(previousName)
    ? `Named the checklist “${name}”`
    : `Renamed the checklist from “${previousName}” to “${name}”`;
}

/**
 * The author of a day's entries. One whom the tracker does not name, as an app or its automation, is not called a person;
 * how the change came is in the entry.
 */
function Author({ account, entries }: { account: string; entries: readonly HistoryEntry[] }) {
  const isUnknown = usePerson(account) === null || account === '' || account === OUTSIDE_ACCOUNT;
  return isUnknown && entries.every(({ kind }) => isForeign(kind)) ? outside : <Person accountId={account} />;
}

interface EntryProps {
  issueId: string;
  entry: HistoryEntry;
  statuses: StatusRegistry;
  /** The entry is the current revision. */
  current: boolean;
  /** `undefined` without the permission to edit. */
  revert: Revert | undefined;
  onRow(change: RowChange): void;
}

/** A revision: time, summary, changes by row, undo and restore. */
export function Entry({ issueId, entry, statuses, current, revert, onRow }: EntryProps) {
  const [all, setAll] = useState(false);
  const [comparing, setComparing] = useState(false);
  const words = useId();
  const created = new Date(entry.created);
  const nowMs = useMinute();
  const { changes, changeCount } = entry;
  const renaming = renamed(entry);
  const summary = renaming !== undefined && changeCount === 0 ? 'renamed the checklist' : entrySummary(entry.kind);
  const shown = changes?.slice(0, all ? undefined : MAX_SHOWN_CHANGES) ?? [];
  return (
    <li className="history-entry">
      <p className="history-summary" id={words}>
        <span className="history-clock">{clockTime(created)}</span> {summary}{' '}
        <time className="history-ago" dateTime={entry.created} title={fullTime(created)}>
          {timeSince(created.getTime(), nowMs)}
        </time>
        {current ? <span className="history-current">Current</span> : null}
      </p>
      <div className="history-body">
        {renaming === undefined ? null : <p dir="auto">{renaming}</p>}
        {changes === null ? (
          <p className="history-none">{whole.previousNotKept}</p>
        ) : changeCount === 0 ? (
          renaming === undefined ? (
            <p className="history-none">Only spaces or formatting changed.</p>
          ) : null
        ) : (
          <ul className="history-changes">
            {shown.map(change => (
              <li key={`${change.kind} ${change.index}`} dir="auto">
                <ChangeLine change={change} statuses={statuses} />
                {change.rowId === null ? null : (
                  <button
                    type="button"
                    className="history-only"
                    aria-label={`Only this item: ${change.row}`}
                    onClick={() => onRow(change)}
                  >
                    Only this item
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        <Conflicts conflicts={entry.conflicts} />
        <div className="history-actions">
          {changeCount > MAX_SHOWN_CHANGES && changes ? (
            <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
              {all
                ? 'Show fewer'
                : changes.length < changeCount
                  ? `Show ${changes.length} of ${changeCount} changes`
                  : `Show all ${changeCount} changes`}
            </button>
          ) : null}
          {changes ? (
            <button
              type="button"
              aria-expanded={comparing}
              aria-describedby={words}
              onClick={() => setComparing(!comparing)}
            >
              {comparing ? 'Hide difference' : 'Difference'}
            </button>
          ) : null}
          {revert && changes && changeCount > 0 ? (
            <button
              type="button"
              aria-describedby={words}
              disabled={revert.busy}
              onClick={() => void revert.undo(entry)}
            >
              Undo this change
            </button>
          ) : null}
          {revert && !current ? (
            <button
              type="button"
              aria-describedby={words}
              disabled={revert.busy}
              onClick={() => void revert.restore(entry)}
            >
              Restore this version
            </button>
          ) : null}
        </div>
        {comparing ? (
          <Suspense fallback={<Loading size="small" />}>
            <Difference issueId={issueId} from={entry.previous} to={entry} />
          </Suspense>
        ) : null}
      </div>
    </li>
  );
}

interface Props {
  issueId: string;
  entries: readonly HistoryEntry[];
  statuses: StatusRegistry;
  /** The current revision, once loaded. */
  current: Position | undefined;
  revert: Revert | undefined;
  onRow(change: RowChange): void;
  /** Missing on the last page. */
  onMore: (() => void) | undefined;
  loadingMore: boolean;
}

/** Revisions by day and author. */
export function Timeline({ entries, current, onMore, loadingMore, ...shared }: Props) {
  return (
    <>
      {byDay(entries, new Date()).map(({ name, groups }) => (
        <section key={name} className="history-day" aria-label={name}>
          <h2>{name}</h2>
          {groups.map(({ account, entries }) => (
            <div key={`${entries[0]?.epoch} ${entries[0]?.seq}`} className="history-group">
              <h3>
                <Author account={account} entries={entries} />
              </h3>
              <ul>
                {entries.map(entry => (
                  <Entry
                    key={`${entry.epoch} ${entry.seq}`}
                    entry={entry}
                    current={entry.epoch === current?.epoch && entry.seq === current.seq}
                    {...shared}
                  />
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
      {onMore ? (
        <div className="history-more">
          <Button isLoading={loadingMore} onClick={onMore}>
            Show older
          </Button>
        </div>
      ) : null}
    </>
  );
}
