import Calendar from '@atlaskit/calendar';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { complete as words } from '../../domain/messages.ts';
import { dayOfWords } from '../../editor/complete/days.ts';
import type { CalendarRequest } from '../../editor/index.ts';
import { useFirstFocus } from '../kit/early-text.tsx';
import '../kit/kit.css';

/** A phrase and the day that it means: `undefined` for none, `failed` if the words' table was not loaded. */
interface Meant {
  phrase: string;
  day: string | 'failed' | undefined;
}

const meant = async (phrase: string, today: string): Promise<Meant> => ({
  phrase,
  day: await dayOfWords(phrase, today).catch(() => 'failed' as const),
});

const full = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
});

/** `Fri 4 December 2026`. Browsers do not agree on a comma behind the weekday. */
export const fullDay = (day: string): string => full.format(Date.parse(day)).replace(',', '');

interface Props {
  /** The selected and the current day, as `yyyy-mm-dd`. */
  selected?: string | undefined;
  today: string;
  /** The day that the calendar opens at. */
  at?: string;
  onPick(day: string): void;
  /** Buttons between the field and the calendar. */
  children?: ReactNode;
}

/** A calendar below a field for a day in words, which shows the day that it understands before it is picked. */
export function DayPicker({ selected, today, at = selected ?? today, onPick, children }: Props) {
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<Meant>({ phrase: '', day: undefined });
  /** The phrase that Enter could not pick. */
  const [refused, setRefused] = useState<string | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const note = useId();
  const phrase = typed.trim();
  useFirstFocus(() => {
    // A keyboard on the screen would cover the calendar.
    const isTouch = window.matchMedia('(pointer: coarse)').matches;
    return isTouch ? box.current?.querySelector('button') : input.current;
  });
  useEffect(() => {
    let isLatest = true;
    void meant(phrase, today).then(now => isLatest && setFound(now));
    return () => {
      isLatest = false;
    };
  }, [phrase, today]);

  const current = found.phrase === phrase && phrase !== '' ? found : undefined;
  const isUnknown = current !== undefined && current.day === undefined;
  const day = current?.day === 'failed' ? undefined : current?.day;
  const enter = async () => {
    if (phrase === '') return;
    const { day } = await meant(phrase, today);
    // Closed while the words' table was loading.
    if (!box.current) return;
    if (day === undefined || day === 'failed') setRefused(phrase);
    else onPick(day);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') void enter();
    else if (event.key === 'ArrowDown')
      box.current?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"], [role=gridcell] [tabindex="0"]')?.focus();
    else return;
    event.preventDefault();
  };
  const [year = 0, month = 1, date = 1] = (day ?? at).split('-').map(Number);
  const isRefused = isUnknown && refused === phrase;
  return (
    <div ref={box} className="check-days">
      <input
        ref={input}
        className="check-pick-input"
        aria-label="Date"
        aria-describedby={note}
        aria-invalid={isRefused || undefined}
        autoComplete="off"
        placeholder="in 2 weeks, next fri, 12/03"
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        onKeyDown={press}
      />
      <p id={note} className={isRefused ? 'check-pick-note check-days-refused' : 'check-pick-note'} role="status">
        {day !== undefined ? (
          <button type="button" className="check-days-meant" onClick={() => onPick(day)}>
            {fullDay(day)}
          </button>
        ) : current?.day === 'failed' ? (
          words.datesFailed
        ) : isUnknown ? (
          words.noDay(phrase)
        ) : (
          words.dayHint
        )}
      </p>
      {children}
      <div className="check-popover-room">
        <Calendar
          // The day that the words mean shows in its month.
          key={day ?? ''}
          label="Pick a date"
          defaultYear={year}
          defaultMonth={month}
          defaultDay={date}
          defaultSelected={[day ?? selected].filter(each => each !== undefined)}
          today={today}
          weekStartDay={1}
          onSelect={({ iso }) => onPick(iso)}
        />
      </div>
    </div>
  );
}

/** Mounts the date picker of a text editor. */
export function mountDayPicker(parent: HTMLElement, { day, today, pick }: CalendarRequest): () => void {
  const root = createRoot(parent);
  root.render(<DayPicker at={day} today={today} onPick={pick} />);
  // A pick may come from an event handler inside the removed tree.
  return () => queueMicrotask(() => root.unmount());
}
