import { useCallback, useEffect, useRef, useState } from 'react';
import { usePeople } from '../../model/people.ts';
import { useUser } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';
import '../text-editor.css';

/** A change that came into the open text from elsewhere. */
export interface RemoteChangeNews {
  rows: number;
  /** Accounts of those who made it, as far as they are known. */
  by: readonly string[];
}

/** Milliseconds for which it is there to read. */
const SHOWN = 6_000;

const nobody: readonly string[] = [];

/** Quiet words of what others have changed in the open text. They go by themselves. */
export function RemoteChange({ news }: { news: RemoteChangeNews | undefined }) {
  const people = usePeople(news?.by ?? nobody);
  const [gone, setGone] = useState<RemoteChangeNews | undefined>(undefined);
  useEffect(() => {
    if (!news) return undefined;
    const timer = setTimeout(() => setGone(news), SHOWN);
    return () => clearTimeout(timer);
  }, [news]);
  const shown = news !== gone ? news : undefined;
  const names = shown?.by.flatMap(account => people.get(account)?.name ?? []) ?? [];
  return (
    <div className="editor-arrival" role="status">
      {shown ? <span className="editor-arrival-note">{sentence(shown.rows, names)}</span> : null}
    </div>
  );
}

function sentence(rows: number, names: readonly string[]): string {
  const what = rows === 1 ? '1 row' : `${rows} rows`;
  if (names.length === 0) return `${what} ${rows === 1 ? 'was' : 'were'} changed elsewhere`;
  const last = names.at(-1) ?? '';
  const who = names.length === 1 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
  return `${who} changed ${what}`;
}

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
