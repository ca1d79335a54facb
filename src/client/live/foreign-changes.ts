import type { HostBridge, HostContext } from '../../bridge/bridge.ts';
import { issueFlags } from '../../domain/permissions.ts';
import { createTimer, keepNewest } from '../../domain/timing.ts';
import type { ProductSettingsPayload } from '../../domain/token.ts';
import type { User } from '../../domain/user.ts';
import { cleanText, hashText } from '../../text/document.ts';
import type { ChecklistView } from '../checklist.ts';
import type { GraphqlClient } from '../graphql.ts';
import { operation, graphql as parsed } from '../operation.ts';
import { isVisible } from '../page.ts';
import type { IssueRef, Reading } from '../reading.ts';
import type { Store } from '../store.ts';
import { getStoredText } from '../tracker/issues.ts';

// Part of the same chunk.
export { keepBadge } from './badge.ts';
export { createRefreshing } from './refreshing.ts';

const reportSeen = operation(
  parsed(`mutation reportSeen($issueId: ID!, $property: SeenPropertyInput, $field: String, $lacking: [String!]) {
    reportSeen(issueId: $issueId, property: $property, field: $field, lacking: $lacking)
  }`),
);

type Stored = Pick<Reading, 'issueId' | 'epoch' | 'seq' | 'text'>;

/** Reports the property's value to our server. */
export async function reportProperty(graphql: GraphqlClient, { issueId, epoch, seq, text }: Stored): Promise<void> {
  await graphql.query(reportSeen, { issueId, property: { epoch, seq, hash: await hashText(text) } });
}

/**
 * Reports the permissions on a frame's issue that the tracker denies to the user, which our server may have cached as
 * granted. Permissions lost with an expired license are not reported.
 */
export async function reportMissing(
  graphql: GraphqlClient,
  { issueId }: Pick<HostContext, 'issueId'>,
  user: User,
  { licensed }: Pick<ProductSettingsPayload, 'licensed'>,
): Promise<void> {
  const lacking = issueFlags.filter(flag => !user[flag]);
  if (issueId === undefined || user.isAnonymous || !licensed || lacking.length === 0) return;
  await graphql.query(reportSeen, { issueId, lacking });
}

const MIN_CHECK_INTERVAL_MS = 1_000;
/** One more reading follows: our server accepts one report per issue in ten seconds. */
const LAST_CHECK_DELAY_MS = 11_000;
/** Maximum number of acknowledged texts remembered: for half a minute the field may hold an earlier one. */
const MAX_TEXTS = 50;

/** Normalises a text of the field for comparison: the tracker changes blanks, and rich text has its own bullets. */
const normalised = (text: string): string =>
  text
    .replace(/^\*+(?=[ \t])/gm, '-')
    .replace(/\s+/g, ' ')
    .trim();

export interface ForeignChangeServices {
  bridge: HostBridge;
  graphql: GraphqlClient;
}

/**
 * Reads the tracker's copies when the tracker reports a change of the issue, which uses none of the app's rate limit,
 * and reports copies that our server never acknowledged. `view` is the shown checklist. Does nothing if the tracker
 * reports no changes. Returns the function that stops it.
 */
export function reportForeignChanges(
  { bridge, graphql }: ForeignChangeServices,
  { issueId, issueKey }: IssueRef,
  view: Store<Pick<ChecklistView, 'base'> | undefined>,
): () => void {
  if (!bridge.onIssueChanged) return () => undefined;
  const acknowledged = new Set<string>();
  let checkedAt = Number.NEGATIVE_INFINITY;

  const learn = () => {
    const text = view.get()?.base.text;
    if (text === undefined) return;
    const normalText = normalised(text);
    acknowledged.delete(normalText);
    acknowledged.add(normalText);
    keepNewest(acknowledged, MAX_TEXTS);
  };

  async function check(): Promise<void> {
    checkedAt = performance.now();
    const shown = view.get();
    const stored = shown && isVisible() && (await getStoredText(bridge, issueKey));
    if (!stored) return;
    const { text } = cleanText(stored.text);
    if (stored.source === 'property' && text !== shown.base.text) {
      await reportProperty(graphql, { ...stored, issueId, text });
    }
    const { field = '' } = stored;
    // An emptied field is not an empty checklist.
    if (field !== '' && !acknowledged.has(normalised(field))) {
      await graphql.query(reportSeen, { issueId, field: await hashText(cleanText(field).text) });
    }
  }

  const tryCheck = () => void check().catch(() => undefined);
  const timer = createTimer(tryCheck);
  const last = createTimer(tryCheck);

  const stopView = view.subscribe(learn);
  learn();
  const stopBridge = bridge.onIssueChanged(changed => {
    if (changed !== issueId) return;
    timer.start(Math.max(0, checkedAt + MIN_CHECK_INTERVAL_MS - performance.now()));
    last.start(LAST_CHECK_DELAY_MS);
  });
  return () => {
    stopView();
    stopBridge();
    timer.stop();
    last.stop();
  };
}
