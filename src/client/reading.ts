import type { HostBridge } from '../bridge/bridge.ts';
import { DEFAULT_NAME } from '../domain/storage.ts';
import { cleanText } from '../text/document.ts';
import type { ServerChecklist } from './checklist-operations.ts';
import { getChecklist } from './checklist-operations.ts';
import type { GraphqlClient } from './graphql.ts';
import { getStoredText } from './tracker/issues.ts';

export interface IssueRef {
  issueId: string;
  issueKey: string;
}

/** A checklist as read, or as acknowledged by the server. A foreign text has epoch '' and seq 0. */
export interface Reading {
  issueId: string;
  epoch: string;
  seq: number;
  name: string;
  text: string;
  /** The lasting ids of the text's rows; missing if the tracker's copy does not have them. */
  rows?: readonly string[] | undefined;
  /** The newest revision of the epoch with conflicts, as far as known; 0 without one. */
  conflictSeq?: number | undefined;
  source: 'property' | 'field' | 'revision' | 'none';
  /** Text for users if the tracker's copy is overdue or refused. */
  copyNotice?: string | null | undefined;
}

/** The text that an edit starts from, and its position in the issue's history. */
export interface Base {
  epoch: string;
  seq: number;
  text: string;
  /** The lasting ids of the text's rows, as far as known. */
  rows?: readonly string[] | undefined;
  /** See `Reading`. */
  conflictSeq?: number | undefined;
}

/** The shown text, with pending changes and the ids of its rows, as the base of a change. */
export const shownBase = ({ base, text, rows }: Pick<Base, 'text' | 'rows'> & { base: Base }): Base =>
  text === base.text ? base : { ...base, text, rows };

export const baseOf = ({ epoch, seq, text, rows, conflictSeq }: Reading): Base => ({
  ...{ epoch, seq, text, rows, conflictSeq },
});

const sources = { PROPERTY: 'property', FIELD: 'field', REVISION: 'revision', NONE: 'none' } as const;

export const fromServer = ({
  issueId,
  epoch,
  seq,
  name,
  text,
  rowIds,
  conflictSeq,
  source,
}: ServerChecklist): Reading => ({
  issueId,
  epoch,
  seq,
  name,
  text,
  rows: rowIds[0] ? rowIds : undefined,
  conflictSeq,
  source: sources[source],
});

export const nothing = (issueId: string): Reading => ({
  issueId,
  epoch: '',
  seq: 0,
  name: DEFAULT_NAME,
  text: '',
  source: 'none',
});

/** Reads the tracker's copy; `undefined` when there is neither property nor field. */
async function readTracker(bridge: HostBridge, { issueId, issueKey }: IssueRef): Promise<Reading | undefined> {
  const stored = await getStoredText(bridge, issueKey);
  if (!stored) return undefined;
  const { epoch, seq, name = DEFAULT_NAME, text, rows, source } = stored;
  const cleaned = cleanText(text).text;
  return { issueId, epoch, seq, name, text: cleaned, source, ...(cleaned === text && { rows }) };
}

type ForeignChanges = typeof import('./live/foreign-changes.ts');

/** Runs an action with the lazily loaded chunk; failures are ignored, since reports are only hints. */
export const loadForeignChanges = (then: (changes: ForeignChanges) => unknown): void =>
  void import('./live/foreign-changes.ts').then(then).catch(() => {});

/** The tracker is read at most once in this time, once our server has answered. */
const TRACKER_INTERVAL_MS = 30_000;

/**
 * Creates the reader of an issue's checklist. Until our server first answers, the tracker's copy is passed to `early`.
 * Later the tracker is read at intervals, which uses none of the app's rate limit; a property that differs is reported
 * to our server. Rejects when neither can be read.
 */
export function createReader(bridge: HostBridge, graphql: GraphqlClient, issue: IssueRef) {
  const { issueId } = issue;
  let isKnown = false;
  let trackerReadAt = Number.NEGATIVE_INFINITY;

  const readServer = async () => {
    const { checklist } = await graphql.query(getChecklist, { issueId });
    return { ...fromServer(checklist), copyNotice: checklist.copyNotice };
  };

  return async (held: Reading | undefined, early: (reading: Reading) => void): Promise<Reading> => {
    const nowMs = performance.now();
    if (isKnown && nowMs - trackerReadAt < TRACKER_INTERVAL_MS) return readServer();
    trackerReadAt = nowMs;
    const serverReading = readServer().then(reading => {
      isKnown = true;
      early(reading);
      return reading;
    });
    const theirs = readTracker(bridge, issue).then(reading => {
      if (!isKnown) early(reading ?? nothing(issueId));
      return reading;
    });
    const [server, tracker] = await Promise.allSettled([serverReading, theirs]);
    const stored = tracker.status === 'fulfilled' ? tracker.value : undefined;
    if (server.status === 'fulfilled') {
      const differs = stored?.source === 'property' && stored.text !== server.value.text;
      if (differs) loadForeignChanges(changes => changes.reportProperty(graphql, stored));
      return server.value;
    }
    if (tracker.status === 'rejected') throw tracker.reason;
    return (isKnown ? held : stored) ?? held ?? nothing(issueId);
  };
}

/** Whether two readings are equal. */
export const sameReading = (a: Reading, b: Reading): boolean =>
  a.epoch === b.epoch &&
  a.seq === b.seq &&
  a.text === b.text &&
  !a.rows === !b.rows &&
  a.name === b.name &&
  a.source === b.source &&
  (a.copyNotice ?? '') === (b.copyNotice ?? '');
