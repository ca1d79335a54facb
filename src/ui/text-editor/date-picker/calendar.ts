import type { CalendarRequest } from '../../../editor/index.ts';
import { loadChunk } from '../../shell/lazy-screen.tsx';
import './calendar.css';

/** Puts the kit's calendar into an element, once its chunk has come. Says so where that takes time or fails. */
export function mountCalendar(parent: HTMLElement, request: CalendarRequest): () => void {
  let gone = false;
  let remove: (() => void) | undefined;
  const line = parent.appendChild(document.createElement('p'));
  line.className = 'editor-calendar-line';
  line.role = 'status';
  line.textContent = 'Loading…';
  loadChunk('calendar', () => import('./day-picker.tsx')).then(
    ({ mountDayPicker }) => {
      if (gone) return;
      line.remove();
      remove = mountDayPicker(parent, request);
    },
    () => {
      line.textContent = 'The calendar could not be loaded.';
    },
  );
  return () => {
    gone = true;
    remove?.();
  };
}
