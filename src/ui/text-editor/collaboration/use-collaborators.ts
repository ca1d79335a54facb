import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { getEditors, placeEditor } from '../../../client/editors.ts';
import type { RowAnchor } from '../../../editor/index.ts';
import { useGraphql } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';

/** Runs the newest of what it is given, at once and then at most once in so many milliseconds. */
export interface Throttle {
  run(work: () => void): void;
  /** Forgets what waits. */
  stop(): void;
}

export function createThrottle(every: number): Throttle {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: (() => void) | undefined;
  const rest = () => {
    timer = setTimeout(() => {
      timer = undefined;
      const work = waiting;
      waiting = undefined;
      if (!work) return;
      work();
      rest();
    }, every);
  };
  return {
    run: work => {
      if (timer !== undefined) {
        waiting = work;
        return;
      }
      work();
      rest();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = undefined;
    },
  };
}

/** Somebody else who has the text open, and his place if it is known. */
export interface OtherEditor {
  account: string;
  place: RowAnchor | undefined;
}

const nobody: readonly OtherEditor[] = [];

/** Milliseconds between two messages of where this editor is. */
const EVERY = 1_000;

/** Who else has a subject (`domain/subjects.ts`) open as text; `place` tells them where this editor is, if there is anybody to tell. */
export function useCollaborators(subjectId: string, editing: boolean) {
  const graphql = useGraphql();
  const { data: editors = nobody, refetch } = useQuery({
    queryKey: ['editors', subjectId],
    queryFn: async ({ signal }) => {
      const { editors } = await graphql.query(getEditors, { subjectId }, signal);
      return editors.map(
        ({ account, row, mark }): OtherEditor => ({
          account,
          place: row === null || mark === null ? undefined : { row, mark },
        }),
      );
    },
    meta: { silent: true },
    // Those whose browser died are gone after a minute, and nobody tells of it.
    refetchInterval: ({ state }) => (state.data?.length ? 60_000 : false),
  });
  const last = useRef<RowAnchor | undefined>(undefined);
  const sent = useRef<RowAnchor | undefined>(undefined);
  const alone = editors.length === 0;
  const tell = useCallback(() => {
    const place = last.current;
    const same = place?.row === sent.current?.row && place?.mark === sent.current?.mark;
    if (!place || same || alone || !editing) return;
    sent.current = place;
    // Where somebody is counts for the moment only: the next place says more than this one tried again.
    graphql.query(placeEditor, { subjectId, ...place }).catch(() => {
      sent.current = undefined;
    });
  }, [graphql, subjectId, alone, editing]);
  useEffect(tell, [tell]);
  useLive({ issue: subjectId, editing }, ({ kind }) => {
    if (kind === 'open') {
      // The server may have forgotten it with the stream.
      sent.current = undefined;
      tell();
    }
    if (kind === 'presence' || kind === 'open' || kind === 'gap') void refetch();
  });
  const throttle = useRef(createThrottle(EVERY));
  useEffect(() => throttle.current.stop, []);
  const place = useCallback(
    (now: RowAnchor | undefined) => {
      last.current = now;
      throttle.current.run(tell);
    },
    [tell],
  );
  return { editors, place };
}
