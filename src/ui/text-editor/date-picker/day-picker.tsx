import { createRoot } from 'react-dom/client';
import type { CalendarRequest } from '../../../editor/index.ts';
import Days from './days.tsx';

/** The kit's calendar with the keyboard on the day that it opens at. The chunk is of its own: the kit's part is large. */
export function mountDayPicker(parent: HTMLElement, { day, today, pick }: CalendarRequest): () => void {
  const root = createRoot(parent);
  root.render(<Days day={day} today={today} focus onPick={pick} />);
  // A day may be picked from within an event of what is taken away.
  return () => queueMicrotask(() => root.unmount());
}
