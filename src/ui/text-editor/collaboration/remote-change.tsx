import { useCallback, useEffect, useRef, useState } from 'react';
import { usePeople } from '../../model/people.ts';
import { useUser } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';
import '../text-editor.css';

/** A remote change that was merged into the open text. */
export interface RemoteChangeInfo {
  rows: number;
  /** Accounts of its authors, as far as known. */
  by: readonly string[];
}

/** Milliseconds for which a change is shown. */
const DISPLAY_TIME = 6_000;

const noAccounts: readonly string[] = [];

/** A short note about remote changes in the open text, removed after a timeout. */
export function RemoteChange({ change }: { change: RemoteChangeInfo | undefined }) {
  const people = usePeople(change?.by ?? noAccounts);
  const [hidden, setHidden] = useState<RemoteChangeInfo | undefined>(undefined);
  useEffect(() => {
    if (!change) return undefined;
    const timer = setTimeout(() => setHidden(change), DISPLAY_TIME);
    return () => clearTimeout(timer);
  }, [change]);
  const shown = change !== hidden ? change : undefined;
  const names = shown?.by.flatMap(account => people.get(account)?.name ?? []) ?? [];
  return (
    <div className="editor-remote-change" role="status">
      {shown ? <span className="editor-remote-change-note">{sentence(shown.rows, names)}</span> : null}
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

/** Milliseconds for which a live event may belong to a text that is loaded after it. */
const EVENT_WINDOW = 60_000;

/** The latest remote change of the open text, with the authors from live events. */
export function useRemoteChanges(issueId: string) {
  const { id: me } = useUser();
  const [change, setChange] = useState<RemoteChangeInfo | undefined>(undefined);
  const events = useRef<{ by: readonly string[]; at: number }[]>([]);
  useLive({ issue: issueId }, event => {
    if (event.kind === 'checklist') events.current.push({ by: event.by ?? [], at: Date.now() });
  });
  const onRemoteChange = useCallback(
    (rows: number) => {
      const recent = events.current.filter(({ at }) => at > Date.now() - EVENT_WINDOW);
      events.current = [];
      setChange({ rows, by: [...new Set(recent.flatMap(({ by }) => by))].filter(account => account !== me) });
    },
    [me],
  );
  return { change, onRemoteChange };
}
