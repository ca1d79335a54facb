import type { HostBridge } from '../bridge/bridge.ts';
import { DEFAULT_NAME } from '../domain/storage.ts';
import { cleanText } from '../text/document.ts';
import { getChecklist } from './documents.ts';
import { TrackerError } from './errors.ts';
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

const denied = (error: unknown) =>
  error instanceof TrackerError && (error.status === 401 || error.status === 403 || error.status === 404);

/**
 * Reads the issue's checklist: from the tracker, without waiting for our server. Where the tracker holds nothing, our
 * server is asked once, since it may know a last revision; where the tracker's API serves somebody not, such as a
 * portal's customer, our server is asked instead. `early` is told what a first look finds before the server answers.
 */
export function createReader(bridge: HostBridge, graphql: GraphqlClient, issue: IssueRef) {
  /** Our server has said what there is while the tracker holds nothing. */
  let absenceKnown = false;

  const readServer = async (signal?: AbortSignal): Promise<Reading> =>
    fromServer((await graphql.query(getChecklist, { issueId: issue.issueId }, signal)).checklist);

  return async (
    held: Reading | undefined,
    early: (reading: Reading) => void,
    signal?: AbortSignal,
  ): Promise<Reading> => {
    try {
      const stored = await readTracker(bridge, issue, signal);
      if (stored) {
        absenceKnown = false;
        return stored;
      }
    } catch (error) {
      if (!denied(error)) throw error;
      return readServer(signal).catch(() => {
        throw error;
      });
    }
    if (absenceKnown && held) return held;
    const empty = nothing(issue.issueId);
    if (!held) early(empty);
    try {
      const reading = await readServer(signal);
      absenceKnown = true;
      return reading;
    } catch {
      return held ?? empty;
    }
  };
}

/** Whether two readings say the same. */
export const sameReading = (a: Reading, b: Reading): boolean =>
  a.epoch === b.epoch && a.seq === b.seq && a.text === b.text && a.name === b.name && a.source === b.source;
