import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { diffView } from '../../editor/diff-view.ts';
import type { CalendarRequest, Provider, RecentKind } from '../../editor/index.ts';
import { loadChunk } from '../shell/lazy-screen.tsx';
import './text-editor.css';
import { openStorage } from '../../client/browser-storage.ts';
import { createIssues } from '../../client/issues.ts';
import { findIssues } from '../../client/tracker/find-issues.ts';
import { createGateNames } from '../../client/tracker/gate-names.ts';
import { findPeople } from '../../client/tracker/people.ts';
import { createUsers } from '../../client/users.ts';
import { createRecentPeople, openRecent, type Recent } from '../model/preferences.ts';
import { createSite } from '../shell/navigation/links.tsx';
import type { Services } from '../shell/services/services.ts';

interface Props {
  /** The initial text. Another value creates another editor; edits are not passed back here. */
  text: string;
  /** Fixed for the editor's life; settings change by `setX()` transactions. */
  extensions: Extension;
  /**
   * Called with the view when it is created, and with `undefined` when it is destroyed. Must be stable, or the editor
   * is recreated.
   */
  onView(view: EditorView | undefined): void;
}

/** A CodeMirror view in React, created in an effect and destroyed in its cleanup, so strict mode is safe. */
export function TextEditor({ text, extensions, onView }: Props) {
  const container = useRef<HTMLDivElement>(null);
  // Before the paint: what has the keys until then passes them on at once.
  useLayoutEffect(() => {
    const parent = container.current;
    if (!parent) return;
    const view = new EditorView({ doc: text, extensions, parent });
    onView(view);
    return () => {
      onView(undefined);
      view.destroy();
    };
  }, [text, extensions, onView]);
  return <div className="editor-text" ref={container} />;
}

/** A text with its insertions and deletions since another one. */
export function TextDifference({ before, after }: { before: string; after: string }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = container.current;
    if (!parent) return undefined;
    const view = new EditorView({ doc: after, parent, extensions: diffView(before, 'Difference') });
    return () => view.destroy();
  }, [before, after]);
  return <div className="text-difference" ref={container} />;
}

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
      status.textContent = "We couldn't load the calendar.";
    },
  );
  return () => {
    unmounted = true;
    remove?.();
  };
}

/** The emoji and days remembered. */
const recentEmoji = { most: 30, length: 64 } as const;
const recentDays = { most: 5, length: 32 } as const;

/**
 * Tells addresses of the tracker's issues from other addresses once the tracker's own address is loaded; the first
 * question loads it.
 */
function ownAddresses(siteOf: () => Promise<string>) {
  let site: string | undefined;
  let isRequested = false;
  const listeners = new Set<() => void>();
  const load = () =>
    siteOf().then(
      url => {
        site = url;
        for (const listener of listeners) listener();
      },
      () => undefined,
    );
  return {
    isOwnAddress: (address: string) => {
      if (!isRequested) void load();
      isRequested = true;
      return site !== undefined && site !== '' && address.startsWith(`${site}/browse/`);
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Data that the editor's completion loads from the tracker and stores in the browser. */
export function createProvider({ bridge, once }: Pick<Services, 'bridge' | 'once'>, storage = openStorage()): Provider {
  const users = once(createUsers);
  const issues = once(createIssues);
  const addresses = ownAddresses(once(createSite));
  const gates = once(createGateNames);
  const recent: Record<RecentKind, Recent> = {
    people: once(createRecentPeople),
    emoji: openRecent(bridge, 'emoji', recentEmoji, storage),
    days: openRecent(bridge, 'days', recentDays, storage),
  };
  return {
    findPeople: (query, signal) => findPeople(bridge, query, signal),
    findIssues: async (key, signal) => {
      const foundIssues = await findIssues(bridge, key, signal);
      issues.learn(foundIssues);
      return foundIssues;
    },
    person: accountId => {
      const person = users.get().get(accountId);
      if (person === undefined) users.request([accountId]);
      return person;
    },
    issue: key => {
      const issue = issues.get().get(key);
      if (issue === undefined) issues.request(key);
      return issue;
    },
    subscribe: listener => {
      const stops = [users, issues, addresses, gates].map(source => source.subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    gateNames: () => {
      const names = gates.get();
      if (!names) gates.request();
      return names;
    },
    isOwnAddress: addresses.isOwnAddress,
    // The Swedish format is `yyyy-mm-dd`.
    today: () => new Date().toLocaleDateString('sv'),
    recent: kind => recent[kind].get(),
    used: (kind, value) => recent[kind].use(value),
  };
}
