import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import type { Figures } from './figures.ts';

const count = (figure: number, one: string, many: string) =>
  `${figure.toLocaleString('en')} ${figure === 1 ? one : many}`;

/** From here on the room that is left is worth a colour. */
const SCARCE = 0.95;

/** Progress, rows and the room that is left, in the tracker and in the edition. */
export function StatusBar({ figures }: { figures: Figures }) {
  const { checked, total, percent, rows, size, left } = figures;
  return (
    <footer className="editor-status">
      <span>
        {checked} of {total} done, {percent}%
      </span>
      <span>{count(rows, 'row', 'rows')}</span>
      <span className={size > PROPERTY_CAPACITY * SCARCE ? 'editor-scarce' : undefined}>
        {size.toLocaleString('en')} of {count(PROPERTY_CAPACITY, 'character', 'characters')} used
      </span>
      {Number.isFinite(left) && (
        <span className={left <= 0 ? 'editor-scarce' : undefined}>
          {left < 0 ? `${count(-left, 'item', 'items')} over the limit` : `${count(left, 'item', 'items')} left`}
        </span>
      )}
    </footer>
  );
}
