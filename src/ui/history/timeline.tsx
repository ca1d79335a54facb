import Button from '@atlaskit/button/new';
import type { HistoryEntry, Position, RowChange } from '../../client/history.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import { Person } from '../checklist/inline/person.tsx';
import { byDay } from '../model/days.ts';
import { Entry } from './entry.tsx';
import type { TakeBack } from './use-revert.ts';

interface Props {
  issueId: string;
  entries: readonly HistoryEntry[];
  statuses: StatusRegistry;
  /** The version that stands now, once it is known. */
  current: Position | undefined;
  back: TakeBack | undefined;
  onRow(change: RowChange): void;
  /** Missing when there are no older ones. */
  onMore: (() => void) | undefined;
  loadingMore: boolean;
}

/** Versions by day and person. */
export function Timeline({ entries, current, onMore, loadingMore, ...shared }: Props) {
  return (
    <>
      {byDay(entries, new Date()).map(({ name, deeds }) => (
        <section key={name} className="history-day" aria-label={name}>
          <h2>{name}</h2>
          {deeds.map(({ account, entries }) => (
            <div key={`${entries[0]?.epoch} ${entries[0]?.seq}`} className="history-deeds">
              <h3>
                <Person accountId={account} />
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
