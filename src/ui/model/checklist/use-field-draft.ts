import { useCallback, useEffect, useRef } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { type DraftField, type FieldDrafts, openFieldDrafts } from '../../../client/field-drafts.ts';
import { createTimer, type Timer } from '../../../domain/timing.ts';
import { useServices } from '../../shell/services/services.ts';

/** Milliseconds of typing that may be lost with the page: some engines end a frame's scripts without an event. */
const DRAFT_DELAY = 250;

/** Opens the unsaved texts of each issue's fields once per page. */
function createFieldDrafts(bridge: HostBridge): (issueId: string) => Promise<FieldDrafts | undefined> {
  const opened = new Map<string, Promise<FieldDrafts | undefined>>();
  return issueId => {
    // Without a known account none is stored.
    const drafts =
      opened.get(issueId) ??
      bridge.owner().then(
        owner => openFieldDrafts(owner, issueId),
        () => undefined,
      );
    opened.set(issueId, drafts);
    return drafts;
  };
}

interface State {
  /** Known once the storage is open. */
  drafts: FieldDrafts | undefined;
  of: DraftField;
  text: string | undefined;
  /** `typed`: newer than what is stored. */
  is: 'new' | 'typed' | 'kept';
}

/**
 * Stores what is typed in a field while it is typed. Returns the function that takes each new text, and `undefined` once
 * the text is saved or discarded. `restore` gets the text of a field that was not saved, unless something was typed
 * before that is known.
 */
export function useFieldDraft(
  field: string,
  base: string,
  restore: (text: string) => void,
): (text: string | undefined) => void {
  const { host, once } = useServices();
  const { issueId } = host;
  const draftsOf = once(createFieldDrafts);
  const latest = useRef(restore);
  useEffect(() => {
    latest.current = restore;
  });
  const state = useRef<State>({ drafts: undefined, of: { field, base }, text: undefined, is: 'new' });
  const timer = useRef<Timer | undefined>(undefined);
  const flush = useCallback(() => {
    const { current: now } = state;
    timer.current?.stop();
    if (!now.drafts || now.is !== 'typed') return;
    now.drafts.keep(now.of, now.text);
    now.is = 'kept';
  }, []);
  useEffect(() => {
    const { current: now } = state;
    const { drafts, of } = now;
    if (of.field === field && of.base === base) return;
    // The row was changed elsewhere: the text is found with the row's newest text.
    now.of = { field, base };
    if (now.is === 'new') return;
    drafts?.keep(of, undefined);
    now.is = 'typed';
    flush();
  }, [field, base, flush]);
  useEffect(() => {
    if (issueId === undefined) return undefined;
    let wanted = true;
    void draftsOf(issueId).then(drafts => {
      if (!wanted || !drafts) return;
      const { current: now } = state;
      now.drafts = drafts;
      const found = drafts.find(now.of);
      if (now.is !== 'new') flush();
      else if (found !== undefined) latest.current(found);
    });
    const leaves = ['blur', 'pagehide', 'visibilitychange'] as const;
    for (const type of leaves) window.addEventListener(type, flush, true);
    return () => {
      wanted = false;
      flush();
      for (const type of leaves) window.removeEventListener(type, flush, true);
    };
  }, [draftsOf, issueId, flush]);
  return useCallback(
    text => {
      const { current: now } = state;
      // A text from before that is not shown yet stays.
      if (text === undefined && now.is === 'new') return;
      now.text = text;
      now.is = 'typed';
      timer.current ??= createTimer(flush);
      if (text === undefined) flush();
      // Not started anew by each key: typing without a pause is stored too.
      else if (!timer.current.isPending()) timer.current.start(DRAFT_DELAY);
    },
    [flush],
  );
}
