import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { editRow, getEditors, placeEditor } from '../../../client/live/editors.ts';
import type { LiveEvent } from '../../../client/live/events.ts';
import { createTimer, withTimeout } from '../../../domain/timing.ts';
import type { RowAnchor } from '../../../editor/index.ts';
import { retryInterval } from '../../shell/services/retry-interval.ts';
import { useGraphql, useServices, useUser } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';

/** Work of which only the latest is needed; a promise of it is awaited. */
type Work = () => unknown;

/** Runs the latest work at once, then at most once per interval, and never beside itself. */
export interface Throttle {
  run(work: Work): void;
  /** Drops the pending work. */
  stop(): void;
}

/** Work without a result holds back the next work no longer than this. */
const MAX_BUSY_MS = 20_000;

export function createThrottle(every: number): Throttle {
  let waiting: Work | undefined;
  let isBusy = false;
  const next = () => {
    if (!waiting || isBusy || timer.isPending()) return;
    const work = waiting;
    waiting = undefined;
    timer.start(every);
    const done = work();
    if (!(done instanceof Promise)) return;
    isBusy = true;
    const end = () => {
      isBusy = false;
      next();
    };
    withTimeout(done, MAX_BUSY_MS, () => new Error('No answer.')).then(end, end);
  };
  const timer = createTimer(next);
  return {
    run: work => {
      waiting = work;
      next();
    },
    stop: () => {
      timer.stop();
      waiting = undefined;
    },
  };
}

/** Requests about the same presence keep this interval. */
const MIN_REQUEST_INTERVAL_MS = 1_000;

/** A throttle for requests, until the component is unmounted. */
export function useThrottle(): Throttle {
  const [throttle] = useState(() => createThrottle(MIN_REQUEST_INTERVAL_MS));
  useEffect(() => throttle.stop, [throttle]);
  return throttle;
}

/** Whether an event may change who else is present: only others are shown, and servers of an earlier version name no account. */
export const concernsOthers = (event: LiveEvent, me: string): boolean =>
  event.kind === 'open' ||
  event.kind === 'gap' ||
  (event.kind === 'presence' && (event.by === undefined || event.by.some(account => account !== me)));

/** Another account that has the text open, and its cursor if known. */
export interface Collaborator {
  account: string;
  anchor: RowAnchor | undefined;
}

const noCollaborators: readonly Collaborator[] = [];

/**
 * Who else has a subject (`domain/subjects.ts`) open as text. `setPosition` sends this editor's position, if there are
 * collaborators.
 */
export function useCollaborators(subjectId: string, editing: boolean) {
  const graphql = useGraphql();
  const { id: me } = useUser();
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
    refetchInterval: query => (query.state.data?.length ? 60_000 : retryInterval(query)),
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
  const [positions, reads] = [useThrottle(), useThrottle()];
  useEffect(() => positions.run(send), [positions, send]);
  useLive({ issue: subjectId, editing }, event => {
    if (event.kind === 'open') {
      // The server may have lost it with the stream.
      sent.current = undefined;
      positions.run(send);
    }
    if (concernsOthers(event, me)) reads.run(refetch);
  });
  const setPosition = useCallback(
    (anchor: RowAnchor | undefined) => {
      last.current = anchor;
      positions.run(send);
    },
    [positions, send],
  );
  return { editors, setPosition };
}

/** The server forgets an open field after 50 seconds. */
const REPEAT_INTERVAL_MS = 20_000;
/** A closed field is reported after a delay, since the next field is often opened at once. */
const CLOSE_DELAY_MS = 500;

/** The number of the page's open fields by issue. */
const createOpenFields = () => new Map<string, number>();

/** Shows other users that this page edits a row, while mounted. Failures are not reported: the next message repeats it. */
export function useRowPresence(issueId: string | undefined, { row, mark }: RowAnchor): void {
  const graphql = useGraphql();
  const counts = useServices().once(createOpenFields);
  const throttle = useThrottle();
  useEffect(() => {
    if (issueId === undefined || row < 0) return undefined;
    // Changes above the row give it another index.
    const send = () => throttle.run(() => graphql.query(editRow, { issueId, row, mark }).catch(() => undefined));
    send();
    const timer = setInterval(send, REPEAT_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [graphql, throttle, issueId, row, mark]);
  useEffect(() => {
    if (issueId === undefined) return undefined;
    counts.set(issueId, (counts.get(issueId) ?? 0) + 1);
    return () => {
      counts.set(issueId, (counts.get(issueId) ?? 1) - 1);
      setTimeout(() => {
        if (!counts.get(issueId)) void graphql.query(editRow, { issueId }).catch(() => undefined);
      }, CLOSE_DELAY_MS);
    };
  }, [graphql, counts, issueId]);
}
