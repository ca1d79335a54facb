import { useEffect, useRef, useState } from 'react';
import type { ChecklistStore, ChecklistView } from '../../../client/checklist.ts';
import type { UndecidedConflict } from '../../../client/outbox/saved-values.ts';
import { conflicts as words } from '../../../domain/messages.ts';
import { Message } from '../../kit/message.tsx';
import { useCover } from '../../shell/navigation/dialogs.tsx';
import { useGo } from '../../shell/navigation/navigation.ts';
import { useBridge, useGraphql, useHostContext, useNotify, useSession } from '../../shell/services/services.ts';
import type { LostValue } from './conflict-text.ts';

interface Props {
  store: ChecklistStore;
  view: ChecklistView;
}

/**
 * Values that the user saved and that others have overwritten since, also before a reload: below each other until
 * dismissed, unless their rows show them. A dialog over this frame reports for it.
 */
export default function OverwrittenValues({ store, view }: Props) {
  const [bridge, graphql, notify] = [useBridge(), useGraphql(), useNotify()];
  const account = useSession().payload?.sub;
  const { issueId, surface } = useHostContext();
  const go = useGo();
  const hasHistory = issueId === store.issueId && surface !== 'dialog';
  const isCovered = useCover() !== undefined;
  const [lost, setLost] = useState<readonly LostValue[]>([]);
  const shown = useRef(new AbortController());
  const offered = useRef<UndecidedConflict[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog takes over the report
  useEffect(() => {
    const controller = new AbortController();
    shown.current = controller;
    offered.current = [];
    return () => controller.abort();
  }, [isCovered]);
  const { epoch, seq } = view.base;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each revision may have conflicts
  useEffect(() => {
    if (isCovered || account === undefined) return;
    const query = { bridge, graphql, store, account, signal: shown.current.signal, offered: offered.current };
    const report = async () => {
      await store.prepare();
      const saved = store.savedValues();
      if (!saved?.get() && !saved?.conflicts().length) return;
      const { reportOverwritten } = await import('./conflict-text.ts');
      const found = await reportOverwritten(query);
      if (!found) return;
      setLost(found.lost);
      for (const sentence of found.others) notify(sentence, 'warning');
    };
    // The next revision or the next page repeats it.
    void report().catch(() => undefined);
  }, [epoch, seq, isCovered, account, store, bridge, graphql, notify]);
  const [first, ...more] = new Set(lost.map(({ sentence }) => sentence));
  if (first === undefined) return null;
  const dismiss = () => {
    store.savedValues()?.settleConflicts(lost.map(({ conflict }) => conflict));
    setLost([]);
  };
  return (
    <Message
      appearance="warning"
      title={words.overwrittenTitle}
      actions={[
        ...(hasHistory ? [{ label: 'Open history', run: () => go('/history') }] : []),
        { label: 'Dismiss', run: dismiss },
      ]}
    >
      {more.length === 0 ? (
        first
      ) : (
        <ul className="overwritten-values">
          {[first, ...more].map(sentence => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Message>
  );
}
