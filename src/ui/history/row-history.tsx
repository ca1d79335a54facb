import type { RowTouch } from '../../client/history.ts';
import { PersonName } from '../checklist/inline/person.tsx';
import { clockTime, dayName } from '../model/days.ts';
import { kindWords } from './change-text.ts';
import { HistoryRowText } from './history-row-text.tsx';

interface Props {
  touches: readonly RowTouch[];
  onRow(touch: RowTouch): void;
}

/** Each row of the checklist with who touched it last. */
export function Touches({ touches, onRow }: Props) {
  const now = new Date();
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
              <time dateTime={touch.created}>
                {dayName(time, now)} {clockTime(time)}
              </time>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
