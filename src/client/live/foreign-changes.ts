import type { HostBridge } from '../../bridge/bridge.ts';
import { cleanText, hashText } from '../../text/document.ts';
import type { ChecklistView } from '../checklist.ts';
import { getChecklist } from '../checklist-operations.ts';
import type { GraphqlClient } from '../graphql.ts';
import type { IssueRef } from '../reading.ts';
import type { Store } from '../store.ts';
import { getStoredText } from '../tracker/issues.ts';

/** Least milliseconds between two looks at the tracker. */
const PAUSE = 1_000;
/** Milliseconds after which it is looked at once more: our server takes up one hint of an issue in ten seconds. */
const ONCE_MORE = 11_000;
/** Acknowledged texts that are remembered: for half a minute the field may hold an earlier one. */
const MOST = 50;

/** The form in which texts of the field are compared: the tracker tidies up blanks, and rich text has its own bullets. */
const settled = (text: string): string =>
  text
    .replace(/^\*+(?=[ \t])/gm, '-')
    .replace(/\s+/g, ' ')
    .trim();

export interface ForeignChangeServices {
  bridge: HostBridge;
  graphql: GraphqlClient;
}

/**
 * Follows what the tracker tells of the issue's changes: looks at its copies of the checklist, which costs the app nothing,
 * and where one holds what our server never acknowledged, our server is told, and looks for a foreign change. `view` is the
 * checklist as it shows here. Returns the function that stops it.
 */
export function reportForeignChanges(
  { bridge, graphql }: ForeignChangeServices,
  { issueId, issueKey }: IssueRef,
  view: Store<Pick<ChecklistView, 'base'> | undefined>,
): () => void {
  const acknowledged = new Set<string>();
  let looked = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: ReturnType<typeof setTimeout> | undefined;

  const learn = () => {
    const text = view.get()?.base.text;
    if (text === undefined) return;
    const known = settled(text);
    acknowledged.delete(known);
    const oldest = acknowledged.values().next();
    if (acknowledged.size >= MOST && !oldest.done) acknowledged.delete(oldest.value);
    acknowledged.add(known);
  };

  const hint = async (text: string, place = { epoch: '', seq: 0 }): Promise<void> => {
    const { epoch, seq } = place;
    await graphql.query(getChecklist, { issueId, stored: { epoch, seq, hash: await hashText(text) } });
  };

  async function look(): Promise<void> {
    looked = performance.now();
    const shown = view.get();
    const stored = shown && document.visibilityState !== 'hidden' && (await getStoredText(bridge, issueKey));
    if (!stored) return;
    const { text } = cleanText(stored.text);
    if (stored.source === 'property' && text !== shown.base.text) await hint(text, stored);
    const { field = '' } = stored;
    // An emptied field is not an empty checklist.
    if (field !== '' && !acknowledged.has(settled(field))) await hint(cleanText(field).text);
  }

  const tryLook = () => void look().catch(() => undefined);

  const stopView = view.subscribe(learn);
  learn();
  const stopBridge = bridge.onIssueChanged?.(changed => {
    if (changed !== issueId) return;
    clearTimeout(timer);
    timer = setTimeout(tryLook, Math.max(0, looked + PAUSE - performance.now()));
    clearTimeout(last);
    last = setTimeout(tryLook, ONCE_MORE);
  });
  return () => {
    stopView();
    stopBridge?.();
    clearTimeout(timer);
    clearTimeout(last);
  };
}
