import { useSyncExternalStore } from 'react';

/** Their day, not the one in Greenwich. */
export function isoDay(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Milliseconds between two looks at the calendar: the day may change while a list is open. */
const LOOK = 60_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const told of [...listeners]) told();
  }, LOOK);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Today where the user is, as an ISO day. */
export const useToday = (): string => useSyncExternalStore(subscribe, () => isoDay(new Date()));
