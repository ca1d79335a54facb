import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { getEditors, placeEditor } from '../../client/documents.ts';
import type { Place } from '../../editor/index.ts';
import { useGraphql, useLive } from '../app/hooks.ts';
import { createSteady } from './steady.ts';

/** Somebody else who has the text open, and his place if it is known. */
export interface OtherEditor {
  account: string;
  place: Place | undefined;
}

const nobody: readonly OtherEditor[] = [];

/** Milliseconds between two messages of where this editor is. */
const EVERY = 1_000;

/** Who else has an issue's checklist open as text; `place` tells them where this editor is, if there is anybody to tell. */
export function useEditors(issueId: string, editing: boolean) {
  const graphql = useGraphql();
  const { data: editors = nobody, refetch } = useQuery({
    queryKey: ['editors', issueId],
    queryFn: async ({ signal }) => {
      const { editors } = await graphql.query(getEditors, { issueId }, signal);
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
  const last = useRef<Place | undefined>(undefined);
  const sent = useRef<Place | undefined>(undefined);
  const alone = editors.length === 0;
  const tell = useCallback(() => {
    const place = last.current;
    const same = place?.row === sent.current?.row && place?.mark === sent.current?.mark;
    if (!place || same || alone || !editing) return;
    sent.current = place;
    // Where somebody is counts for the moment only: the next place says more than this one tried again.
    graphql.query(placeEditor, { issueId, ...place }).catch(() => {
      sent.current = undefined;
    });
  }, [graphql, issueId, alone, editing]);
  useEffect(tell, [tell]);
  useLive({ issue: issueId, editing }, ({ kind }) => {
    if (kind === 'open') {
      // The server may have forgotten it with the stream.
      sent.current = undefined;
      tell();
    }
    if (kind === 'presence' || kind === 'open' || kind === 'gap') void refetch();
  });
  const steady = useRef(createSteady(EVERY));
  useEffect(() => steady.current.stop, []);
  const place = useCallback(
    (now: Place | undefined) => {
      last.current = now;
      steady.current.run(tell);
    },
    [tell],
  );
  return { editors, place };
}
