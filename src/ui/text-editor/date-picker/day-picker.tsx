import { createRoot } from 'react-dom/client';
import type { CalendarRequest } from '../../../editor/index.ts';
import Days from './days.tsx';

/** Mounts the design system's calendar with the focus on its initial day. In a chunk of its own because of its size. */
export function mountDayPicker(parent: HTMLElement, { day, today, pick }: CalendarRequest): () => void {
  const root = createRoot(parent);
  root.render(<Days day={day} today={today} focus onPick={pick} />);
  // A pick may come from an event handler inside the removed tree.
  return () => queueMicrotask(() => root.unmount());
}
