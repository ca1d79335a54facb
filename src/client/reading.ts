import type { HostBridge } from '../bridge/bridge.ts';
import { DEFAULT_NAME } from '../domain/storage.ts';
import { cleanText } from '../text/document.ts';
import { getChecklist } from './checklist-operations.ts';
import type { GraphqlClient } from './graphql.ts';
import type { ServerChecklist } from './operation.ts';
import { getStoredText } from './tracker/issues.ts';

export interface IssueRef {
  issueId: string;
  issueKey: string;
}

/** A checklist as it was read, or as the server acknowledged it. What is not ours has epoch '' and seq 0. */
export interface Reading {
  issueId: string;
  epoch: string;
  seq: number;
  name: string;
  text: string;
  source: 'property' | 'field' | 'revision' | 'none';
  /** Our server has it, but a copy in the tracker is not written though it is time. */
  copyPending?: boolean;
}

/** The text that an edit starts from, and its place in the issue's history. */
export interface Base {
  epoch: string;
  seq: number;
  text: string;
}

export const baseOf = ({ epoch, seq, text }: Reading): Base => ({ epoch, seq, text });

const sources = { PROPERTY: 'property', FIELD: 'field', REVISION: 'revision', NONE: 'none' } as const;

export const fromServer = ({ issueId, epoch, seq, name, text, source }: ServerChecklist): Reading => ({
  issueId,
  epoch,
  seq,
  name,
  text,
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

/** What the tracker holds, without our server; `undefined` when it holds neither property nor field. */
async function readTracker(
  bridge: HostBridge,
  { issueId, issueKey }: IssueRef,
  signal?: AbortSignal,
): Promise<Reading | undefined> {
  const stored = await getStoredText(bridge, issueKey, signal);
  if (!stored) return undefined;
  const { epoch, seq, name = DEFAULT_NAME, text, source } = stored;
  return { issueId, epoch, seq, name, text: cleanText(text).text, source };
}

type ForeignChanges = typeof import('./live/foreign-changes.ts');

/** Does something with what is loaded late; where that fails nothing is done, since it is hints only. */
export const loadForeignChanges = (then: (changes: ForeignChanges) => unknown): void =>
  void import('./live/foreign-changes.ts').then(then).catch(() => {});

/** Least milliseconds between two looks at the tracker, once our server has answered. */
const LOOK = 30_000;

/**
 * Reads the issue's checklist from our server. Until it answers for the first time, what the tracker holds is shown: `early`
 * is told of it. Later the tracker is looked at now and then, which costs the app nothing: where the property says something
 * else, our server is told, and looks for a foreign change. Rejects when neither can be read.
 */
export function createReader(bridge: HostBridge, graphql: GraphqlClient, issue: IssueRef) {
  const { issueId } = issue;
  let isKnown = false;
  let looked = Number.NEGATIVE_INFINITY;

  const readServer = async (signal?: AbortSignal) => {
    const { checklist } = await graphql.query(getChecklist, { issueId }, signal);
    return { ...fromServer(checklist), copyPending: checklist.copyPending };
  };

  return async (
    held: Reading | undefined,
    early: (reading: Reading) => void,
    signal?: AbortSignal,
  ): Promise<Reading> => {
    const now = performance.now();
    if (isKnown && now - looked < LOOK) return readServer(signal);
    looked = now;
    const ours = readServer(signal).then(reading => {
      isKnown = true;
      early(reading);
      return reading;
    });
    const theirs = readTracker(bridge, issue, signal).then(reading => {
      if (!isKnown) early(reading ?? nothing(issueId));
      return reading;
    });
    const [server, tracker] = await Promise.allSettled([ours, theirs]);
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

/** Whether two readings say the same. */
export const sameReading = (a: Reading, b: Reading): boolean =>
  a.epoch === b.epoch &&
  a.seq === b.seq &&
  a.text === b.text &&
  a.name === b.name &&
  a.source === b.source &&
  (a.copyPending ?? false) === (b.copyPending ?? false);
