import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { editRow, getEditors, placeEditor } from '../../../client/live/editors.ts';
import { createTimer } from '../../../domain/timing.ts';
import type { RowAnchor } from '../../../editor/index.ts';
import { useGraphql, useServices } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';

/** Runs the latest function at once, then at most once per interval. */
export interface Throttle {
  run(work: () => void): void;
  /** Drops the pending function. */
  stop(): void;
}

export function createThrottle(every: number): Throttle {
  let waiting: (() => void) | undefined;
  const run = (work: () => void) => {
    waiting = undefined;
    work();
    timer.start(every);
  };
  const timer = createTimer(() => {
    if (waiting) run(waiting);
  });
  return {
    run: work => {
      if (timer.isPending()) waiting = work;
      else run(work);
    },
    stop: () => {
      timer.stop();
      waiting = undefined;
    },
  };
}

/** Another account that has the text open, and its cursor if known. */
export interface Collaborator {
  account: string;
  anchor: RowAnchor | undefined;
}

const noCollaborators: readonly Collaborator[] = [];

/** Milliseconds between two position messages. */
const INTERVAL = 1_000;

/**
 * Who else has a subject (`domain/subjects.ts`) open as text. `setPosition` sends this editor's position, if there are
 * collaborators.
 */
export function useCollaborators(subjectId: string, editing: boolean) {
  const graphql = useGraphql();
  const { data: editors = noCollaborators, refetch } = useQuery({
    queryKey: ['editors', subjectId],
    queryFn: async ({ signal }) => {
      const { editors } = await graphql.query(getEditors, { subjectId }, signal);
      return editors.map(
        ({ account, row, mark }): Collaborator => ({
          account,
          anchor: row === null || mark === null ? undefined : { row, mark },
        }),
      );
    },
    meta: { silent: true },
    // Collaborators whose browser crashed expire after a minute without an event.
    refetchInterval: ({ state }) => (state.data?.length ? 60_000 : false),
  });
  const last = useRef<RowAnchor | undefined>(undefined);
  const sent = useRef<RowAnchor | undefined>(undefined);
  const isEmpty = editors.length === 0;
  const send = useCallback(() => {
    const anchor = last.current;
    const same = anchor?.row === sent.current?.row && anchor?.mark === sent.current?.mark;
    if (!anchor || same || isEmpty || !editing) return;
    sent.current = anchor;
    // Not retried: the next position replaces it.
    graphql.query(placeEditor, { subjectId, ...anchor }).catch(() => {
      sent.current = undefined;
    });
  }, [graphql, subjectId, isEmpty, editing]);
  useEffect(send, [send]);
  useLive({ issue: subjectId, editing }, ({ kind }) => {
    if (kind === 'open') {
      // The server may have lost it with the stream.
      sent.current = undefined;
      send();
    }
    if (kind === 'presence' || kind === 'open' || kind === 'gap') void refetch();
  });
  const throttle = useRef(createThrottle(INTERVAL));
  useEffect(() => throttle.current.stop, []);
  const setPosition = useCallback(
    (anchor: RowAnchor | undefined) => {
      last.current = anchor;
      throttle.current.run(send);
    },
    [send],
  );
  return { editors, setPosition };
}

/** Milliseconds between two messages of an open field; the server forgets it after 50 seconds. */
const REPEAT = 20_000;
/** Milliseconds after which a closed field is reported: the next one is often opened at once. */
const REST = 500;

/** The number of the page's open fields by issue. */
const createOpenFields = () => new Map<string, number>();

/** Shows other users that this page edits a row, while mounted. Failures are not reported: the next message repeats it. */
export function useRowPresence(issueId: string | undefined, { row, mark }: RowAnchor): void {
  const graphql = useGraphql();
  const counts = useServices().once(createOpenFields);
  useEffect(() => {
    if (issueId === undefined || row < 0) return undefined;
    const send = () => void graphql.query(editRow, { issueId, row, mark }).catch(() => undefined);
    send();
    const timer = setInterval(send, REPEAT);
    return () => clearInterval(timer);
  }, [graphql, issueId, row, mark]);
  useEffect(() => {
    if (issueId === undefined) return undefined;
    counts.set(issueId, (counts.get(issueId) ?? 0) + 1);
    return () => {
      counts.set(issueId, (counts.get(issueId) ?? 1) - 1);
      setTimeout(() => {
        if (!counts.get(issueId)) void graphql.query(editRow, { issueId }).catch(() => undefined);
      }, REST);
    };
  }, [graphql, counts, issueId]);
}
