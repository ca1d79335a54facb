import { backoff, sleep } from '../../domain/timing.ts';
import { progressOf } from '../../text/progress.ts';
import { readChecklist } from '../../text/read.ts';
import { getChecklist } from '../checklist-operations.ts';
import { failureMessage } from '../errors.ts';
import type { GraphqlClient } from '../graphql.ts';
import { failureKind } from '../outbox/failure.ts';
import { sendEntry } from '../outbox/send.ts';

/** The outcome of applying a template to an issue. */
export type Applied = { kind: 'done' } | { kind: 'skipped' } | { kind: 'failed'; message: string };

export interface Applying {
  templateId: string;
  issueIds: readonly string[];
  /** Skip issues that have items by then. */
  onlyEmpty: boolean;
  /** Client ids by issue: the same for every attempt. */
  clientIds: ReadonlyMap<string, string>;
  signal: AbortSignal;
  /** Called with the result of each issue. */
  onResult(issueId: string, result: Applied): void;
  /** First backoff in milliseconds, doubled with each failure. */
  pause?: number;
}

/** Each issue takes several tracker calls. */
const MAX_CONCURRENT_ISSUES = 2;
const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** Applies a template to issues concurrently; temporary failures are retried. Never rejects. */
export async function applyTemplate(graphql: GraphqlClient, applying: Applying): Promise<void> {
  const { templateId, issueIds, onlyEmpty, clientIds, signal, onResult, pause = FIRST_PAUSE_MS } = applying;
  const once = async (issueId: string): Promise<Applied> => {
    const { checklist } = await graphql.query(getChecklist, { issueId }, signal);
    const { epoch, seq, text } = checklist;
    if (onlyEmpty && progressOf(readChecklist(text).rows).total > 0) return { kind: 'skipped' };
    const id = clientIds.get(issueId) ?? crypto.randomUUID();
    const edit = { kind: 'applyTemplateToChecklist', templateIds: [templateId], mode: 'APPEND' } as const;
    await sendEntry(graphql, issueId, { id, at: Date.now(), base: { epoch, seq, text }, edit }, undefined);
    return { kind: 'done' };
  };
  const one = async (issueId: string): Promise<Applied | undefined> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(issueId);
      } catch (error) {
        if (signal.aborted) return undefined;
        if (failureKind(error) === 'refused' || tries >= MAX_TRIES)
          return { kind: 'failed', message: failureMessage(error) };
        await sleep(backoff(tries - 1, pause, MAX_PAUSE_MS), signal).catch(() => undefined);
        if (signal.aborted) return undefined;
      }
    }
  };
  const waiting = [...issueIds];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) {
      const result = await one(id);
      if (result) onResult(id, result);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_ISSUES }, work));
}
