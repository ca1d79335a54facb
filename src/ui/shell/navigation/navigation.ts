import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useServices } from '../services/services.ts';

/** Unsaved edits. */
export interface Mark {
  /** Deletes what is stored of them. */
  discard?: (() => void) | undefined;
  /** Whether the page finds them after a reload. */
  kept?: (() => boolean) | undefined;
}

/**
 * The frame's current screen, and what blocks leaving it. The frame's URL keeps the state over a reload: the query
 * stays, since it may hold the frame's context; the tracker's signature is removed at once, since it is short-lived and
 * for the first load only.
 */
export interface Navigation {
  /** The current path, e.g. `/templates/new`. */
  path(): string;
  subscribe(listener: () => void): () => void;
  /** Goes to another screen of the app, unless unsaved edits block it. */
  go(path: string): void;
  /** Closes what has been edited, such as a form; asks first if there are unsaved edits. */
  leave(close: () => void): void;
  /** Marks unsaved edits. Returns the function that removes the mark; what waits for the last one then goes on. */
  hold(mark?: Mark): () => void;
  /** Reloads the frame without a question, unless unsaved edits would be lost. Returns whether it does. */
  reload(): boolean;
  /** Whether a navigation waits for the user's decision about unsaved edits. */
  asking(): boolean;
  /** `true` leaves and discards the edits, `false` stays. */
  decide(leaves: boolean): void;
}

function unsigned(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('jwt');
  const remainingQuery = query.toString();
  return remainingQuery && `?${remainingQuery}`;
}

export function createNavigation(window: Window): Navigation {
  const { history, location } = window;
  const listeners = new Set<() => void>();
  const holds = new Set<Mark>();
  // A page that is served elsewhere has one fixed path; its screen is in the hash.
  const inHash = location.hash.startsWith('#/');
  const currentPath = () => (inHash ? location.hash.slice(1) : location.pathname);
  const search = unsigned(location.search);
  const addressOf = (to: string) => (inHash ? `#${to}` : to + search);
  let path = currentPath();
  let waiting: (() => void) | undefined;
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
  const leave = (run: () => void) => {
    if (holds.size === 0) return run();
    waiting = run;
    changed();
  };
  const go = (to: string) => leave(() => push(to));
  const decide = (leaves: boolean) => {
    const run = waiting;
    if (!run) return;
    waiting = undefined;
    changed();
    if (!leaves) return;
    for (const mark of holds) mark.discard?.();
    run();
  };

  window.addEventListener('popstate', () => {
    const to = currentPath();
    if (to === path) return;
    if (holds.size > 0) {
      // The browser has already gone back: restore the entry, then ask.
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
    leave,
    hold(mark = {}) {
      holds.add(mark);
      if (holds.size === 1) window.addEventListener('beforeunload', warn);
      return () => {
        holds.delete(mark);
        if (holds.size > 0) return;
        window.removeEventListener('beforeunload', warn);
        // Saved while the question was open: nothing is left to ask about, unless the next marks itself, as a new secret.
        queueMicrotask(() => holds.size === 0 && decide(true));
      };
    },
    reload() {
      for (const mark of holds) if (!mark.kept?.()) return false;
      window.removeEventListener('beforeunload', warn);
      location.reload();
      return true;
    },
    asking: () => waiting !== undefined,
    decide,
  };
}

const useNavigation = (): Navigation => useServices().navigation;

/** The path of the current screen. */
export function usePath(): string {
  const { subscribe, path } = useNavigation();
  return useSyncExternalStore(subscribe, path);
}

/** Goes to another screen of the app; asks first if there are unsaved edits. */
export const useGo = (): Navigation['go'] => useNavigation().go;

/** Closes a form or dialog; asks first if there are unsaved edits. */
export const useLeave = (): Navigation['leave'] => useNavigation().leave;

/**
 * While `dirty`, which edits are until they are stored, warns before leaving: on unload by the browser, else by a dialog
 * (`useGo`, `useLeave`). Once the user has decided to leave, `discard` deletes the draft: the dialog says that the changes
 * will be lost. `kept` tells whether there is a draft, which a reload finds.
 */
export function useUnsaved(dirty: boolean, discard?: () => void, kept?: () => boolean): void {
  const { hold } = useNavigation();
  const { current: mark } = useRef<Mark>({});
  useEffect(() => void Object.assign(mark, { discard, kept }));
  useEffect(() => (dirty ? hold(mark) : undefined), [dirty, hold, mark]);
}

/** The state of the dialog about unsaved edits. */
export function useLeaveDialog(): { asking: boolean; decide: Navigation['decide'] } {
  const { subscribe, asking, decide } = useNavigation();
  return { asking: useSyncExternalStore(subscribe, asking), decide };
}
