import * as v from 'valibot';
import type { HostBridge, HostContext } from '../../bridge/bridge.ts';
import { issueFlags } from '../../domain/permissions.ts';
import { keepNewest } from '../../domain/timing.ts';
import type { ProductSettingsPayload } from '../../domain/token.ts';
import type { User } from '../../domain/user.ts';
import { cleanText, hashText } from '../../text/document.ts';
import type { ChecklistView } from '../checklist.ts';
import type { GraphqlClient } from '../graphql.ts';
import { operation, graphql as parsed } from '../operation.ts';
import type { IssueRef, Reading } from '../reading.ts';
import type { Store } from '../store.ts';
import { getStoredText } from '../tracker/issues.ts';

const reportSeen = operation(
  parsed(`mutation reportSeen($issueId: ID!, $property: SeenPropertyInput, $field: String, $lacking: [String!]) {
    reportSeen(issueId: $issueId, property: $property, field: $field, lacking: $lacking)
  }`),
  v.object({ reportSeen: v.boolean() }),
);

type Stored = Pick<Reading, 'issueId' | 'epoch' | 'seq' | 'text'>;

/** Tells our server what the property holds. */
export async function reportProperty(graphql: GraphqlClient, { issueId, epoch, seq, text }: Stored): Promise<void> {
  await graphql.query(reportSeen, { issueId, property: { epoch, seq, hash: await hashText(text) } });
}

/**
 * Tells our server what the tracker does not let the user do with a frame's issue, which earlier answers of it may say
 * otherwise. What a license that has ended takes away is no answer of the tracker's.
 */
export async function reportLacking(
  graphql: GraphqlClient,
  { issueId }: Pick<HostContext, 'issueId'>,
  user: User,
  { licensed }: Pick<ProductSettingsPayload, 'licensed'>,
): Promise<void> {
  const lacking = issueFlags.filter(flag => !user[flag]);
  if (issueId === undefined || user.isAnonymous || !licensed || lacking.length === 0) return;
  await graphql.query(reportSeen, { issueId, lacking });
}

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
    acknowledged.add(known);
    keepNewest(acknowledged, MOST);
  };

  async function look(): Promise<void> {
    looked = performance.now();
    const shown = view.get();
    const stored = shown && document.visibilityState !== 'hidden' && (await getStoredText(bridge, issueKey));
    if (!stored) return;
    const { text } = cleanText(stored.text);
    if (stored.source === 'property' && text !== shown.base.text) {
      await reportProperty(graphql, { ...stored, issueId, text });
    }
    const { field = '' } = stored;
    // An emptied field is not an empty checklist.
    if (field !== '' && !acknowledged.has(settled(field))) {
      await graphql.query(reportSeen, { issueId, field: await hashText(cleanText(field).text) });
    }
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
