import { useEffect, useRef, useState } from 'react';
import type { ChecklistStore, ChecklistView } from '../../../client/checklist.ts';
import { conflicts as words } from '../../../domain/messages.ts';
import { Message } from '../../kit/message.tsx';
import { useCover } from '../../shell/navigation/dialogs.tsx';
import { useGo } from '../../shell/navigation/navigation.ts';
import { useBridge, useGraphql, useHostContext, useNotify, useSession } from '../../shell/services/services.ts';

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
  const [sentences, setSentences] = useState<readonly string[]>([]);
  /** The sentences in the record, once it was read. */
  const kept = useRef<readonly string[]>(undefined);
  const shown = useRef(new AbortController());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog takes over the report
  useEffect(() => {
    const controller = new AbortController();
    shown.current = controller;
    return () => controller.abort();
  }, [isCovered]);
  const { epoch, seq } = view.base;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each revision may have conflicts
  useEffect(() => {
    if (isCovered || account === undefined) return;
    const { signal } = shown.current;
    const report = async () => {
      await store.prepare();
      const saved = store.savedValues();
      if (!saved?.get()) return;
      kept.current ??= saved.messages();
      setSentences(kept.current);
      const { reportOverwritten } = await import('./conflict-text.ts');
      await reportOverwritten(
        { bridge, graphql, store, account, signal },
        lost => {
          kept.current = [...(kept.current ?? []), ...lost];
          saved.keepMessages(kept.current);
          setSentences(kept.current);
        },
        others => {
          for (const sentence of others) notify(sentence, 'warning');
        },
      );
    };
    // The next revision or the next page repeats it.
    void report().catch(() => undefined);
  }, [epoch, seq, isCovered, account, store, bridge, graphql, notify]);
  if (sentences.length === 0) return null;
  const dismiss = () => {
    kept.current = [];
    store.savedValues()?.keepMessages([]);
    setSentences([]);
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
      <ul className="overwritten-values">
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Message>
  );
}
