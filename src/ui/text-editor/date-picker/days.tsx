import Calendar from '@atlaskit/calendar';

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
export default function Days({ day, selected, today, focus, onPick }: Props) {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return (
    <Calendar
      label="Pick a day"
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
