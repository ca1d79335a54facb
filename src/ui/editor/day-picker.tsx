import Calendar from '@atlaskit/calendar';
import { createRoot } from 'react-dom/client';
import type { CalendarRequest } from '../../editor/index.ts';

/** The kit's calendar with the keyboard on the day that it opens at. The chunk is of its own: the kit's part is large. */
export function mountDayPicker(parent: HTMLElement, { day, today, pick }: CalendarRequest): () => void {
  const root = createRoot(parent);
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  root.render(
    <Calendar
      label="Pick a day"
      defaultYear={year}
      defaultMonth={month}
      defaultDay={date}
      today={today}
      weekStartDay={1}
      shouldSetFocusOnCurrentDay
      onSelect={({ iso }) => pick(iso)}
    />,
  );
  // A day may be picked from within an event of what is taken away.
  return () => queueMicrotask(() => root.unmount());
}
