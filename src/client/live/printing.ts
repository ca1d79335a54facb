import { createStore } from '../store.ts';

/** Whether this window is printing: there is one dialog per window. Streams pause meanwhile. */
export const printing = createStore(false);

/**
 * Opens the print dialog without an open stream: Safari's engine waits with it until everything is loaded. Streams
 * resume when the dialog closes, or at the latest with the user's next action.
 */
export async function printWindow(): Promise<void> {
  const done = new AbortController();
  const resume = () => {
    done.abort();
    printing.set(false);
  };
  printing.set(true);
  // The engine notices an aborted request in its next task.
  await new Promise(resolve => setTimeout(resolve));
  for (const type of ['afterprint', 'pointerdown', 'keydown'] as const)
    window.addEventListener(type, resume, { capture: true, signal: done.signal });
  window.print();
}
