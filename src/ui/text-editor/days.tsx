import Calendar from '@atlaskit/calendar';
import { createRoot } from 'react-dom/client';
import type { CalendarRequest } from '../../editor/index.ts';

interface Props {
  /** The initial, the selected and the current day, as `yyyy-mm-dd`. */
  day: string;
  selected?: string | undefined;
  today: string;
  /** Focuses the initial day on mount. */
  focus: boolean;
  onPick(day: string): void;
}

/** The design system's calendar. */
export function Days({ day, selected, today, focus, onPick }: Props) {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return (
    <Calendar
      label="Pick a date"
      defaultYear={year}
      defaultMonth={month}
      defaultDay={date}
      {...(selected !== undefined && { defaultSelected: [selected] })}
      today={today}
      weekStartDay={1}
      shouldSetFocusOnCurrentDay={focus}
      onSelect={({ iso }) => onPick(iso)}
    />
  );
}

/** Mounts the calendar of a text editor with the focus on its initial day. */
export function mountDayPicker(parent: HTMLElement, { day, today, pick }: CalendarRequest): () => void {
  const root = createRoot(parent);
  root.render(<Days day={day} today={today} focus onPick={pick} />);
  // A pick may come from an event handler inside the removed tree.
  return () => queueMicrotask(() => root.unmount());
}
