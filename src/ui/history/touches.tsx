import type { RowTouch } from '../../client/history.ts';
import { clockTime, dayName } from './days.ts';
import { PersonName } from './person.tsx';
import { RowText } from './row-text.tsx';
import { kindWords } from './words.ts';

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
              <RowText text={touch.row} linked />
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
