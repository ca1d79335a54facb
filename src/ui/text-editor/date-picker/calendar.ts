import type { CalendarRequest } from '../../../editor/index.ts';
import { loadChunk } from '../../shell/lazy-screen.tsx';
import '../text-editor.css';

/** Mounts the lazy calendar into an element; shows its loading and error state. Returns the unmount function. */
export function mountCalendar(parent: HTMLElement, request: CalendarRequest): () => void {
  let unmounted = false;
  let remove: (() => void) | undefined;
  const status = parent.appendChild(document.createElement('p'));
  status.className = 'editor-calendar-status';
  status.role = 'status';
  status.textContent = 'Loading…';
  loadChunk('calendar', () => import('./days.tsx')).then(
    ({ mountDayPicker }) => {
      if (unmounted) return;
      status.remove();
      remove = mountDayPicker(parent, request);
    },
    () => {
      status.textContent = 'The calendar could not be loaded.';
    },
  );
  return () => {
    unmounted = true;
    remove?.();
  };
}
