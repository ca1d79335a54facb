import { useCallback, useRef, useState } from 'react';
import { useLive, useUser } from '../shell/hooks.ts';
import type { RemoteChangeNews } from '../text-editor/collaboration/remote-change.tsx';

/** Milliseconds for which what was told of a change may belong to a text that comes after it. */
const BELONGS = 60_000;

/** What has come into the open text from elsewhere, and whose it is where the server has said so. */
export function useRemoteChanges(issueId: string) {
  const { id: me } = useUser();
  const [news, setNews] = useState<RemoteChangeNews | undefined>(undefined);
  const told = useRef<{ by: readonly string[]; at: number }[]>([]);
  useLive({ issue: issueId }, event => {
    if (event.kind === 'checklist') told.current.push({ by: event.by ?? [], at: Date.now() });
  });
  const arrived = useCallback(
    (rows: number) => {
      const recent = told.current.filter(({ at }) => at > Date.now() - BELONGS);
      told.current = [];
      setNews({ rows, by: [...new Set(recent.flatMap(({ by }) => by))].filter(account => account !== me) });
    },
    [me],
  );
  return { news, arrived };
}
