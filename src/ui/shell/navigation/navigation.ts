import { useEffect, useSyncExternalStore } from 'react';
import { useServices } from '../services/services.ts';

/**
 * Where this frame is among our screens, and what keeps it from leaving. A frame's address is its memory over a reload:
 * the query, which may say what the frame is about, stays; the tracker's signature goes at once, since it is short-lived
 * and for the first load only.
 */
export interface Navigation {
  /** The current path, e.g. `/templates/new`. */
  path(): string;
  subscribe(listener: () => void): () => void;
  /** Goes to another screen of ours, if nothing unsaved holds it back. */
  go(path: string): void;
  /** Marks that there are unsaved edits. Returns what to call when there are none. */
  hold(): () => void;
  /** Whether somebody has to decide about leaving. */
  asking(): boolean;
  /** The decision: leave and lose the edits, or stay. */
  decide(leaves: boolean): void;
}

function unsigned(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('jwt');
  const rest = query.toString();
  return rest && `?${rest}`;
}

export function createNavigation(window: Window): Navigation {
  const { history, location } = window;
  const listeners = new Set<() => void>();
  const holds = new Set<symbol>();
  // A page that another server has served is found there under one path: its screen stands in the hash.
  const inHash = location.hash.startsWith('#/');
  const here = () => (inHash ? location.hash.slice(1) : location.pathname);
  const search = unsigned(location.search);
  const addressOf = (to: string) => (inHash ? `#${to}` : to + search);
  let path = here();
  let waiting: string | undefined;
  history.replaceState(null, '', addressOf(path));

  const changed = () => {
    for (const listener of listeners) listener();
  };
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  const push = (to: string) => {
    history.pushState(null, '', addressOf(to));
    path = to;
    changed();
  };
  const go = (to: string) => {
    if (holds.size === 0) return push(to);
    waiting = to;
    changed();
  };

  window.addEventListener('popstate', () => {
    const to = here();
    if (to === path) return;
    if (holds.size > 0) {
      // The browser has gone back already: return, and ask.
      history.pushState(null, '', addressOf(path));
      return go(to);
    }
    path = to;
    changed();
  });

  return {
    path: () => path,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    go,
    hold() {
      const mark = Symbol('unsaved');
      holds.add(mark);
      if (holds.size === 1) window.addEventListener('beforeunload', warn);
      return () => {
        holds.delete(mark);
        if (holds.size === 0) window.removeEventListener('beforeunload', warn);
      };
    },
    asking: () => waiting !== undefined,
    decide(leaves) {
      const to = waiting;
      waiting = undefined;
      if (leaves && to !== undefined) push(to);
      else changed();
    },
  };
}

const useNavigation = (): Navigation => useServices().navigation;

/** The path of the screen to show. */
export function usePath(): string {
  const { subscribe, path } = useNavigation();
  return useSyncExternalStore(subscribe, path);
}

/** Goes to another screen of ours; asks first when there are unsaved edits. */
export const useGo = (): Navigation['go'] => useNavigation().go;

/** While `dirty`, leaving warns: the tracker's page on unload, our own screens by a question. */
export function useUnsaved(dirty: boolean): void {
  const { hold } = useNavigation();
  useEffect(() => (dirty ? hold() : undefined), [dirty, hold]);
}

/** The question whether to leave, while there is one. */
export function useLeaveDialog(): { asking: boolean; decide: Navigation['decide'] } {
  const { subscribe, asking, decide } = useNavigation();
  return { asking: useSyncExternalStore(subscribe, asking), decide };
}
