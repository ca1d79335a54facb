import { expect, vi } from 'vitest';
import { type ChecklistStore, createChecklist } from '../../src/client/checklist.ts';
import { createGraphql } from '../../src/client/graphql.ts';
import { createOutbox } from '../../src/client/outbox/outbox.ts';
import { hasUnsentChanges } from '../../src/client/outbox/unsent.ts';
import type { Page } from '../../src/client/page.ts';
import { createSession } from '../../src/client/session.ts';
import type { ChecklistChange } from '../../src/domain/change.ts';
import { storageKey } from '../../src/domain/storage.ts';
import type { Target } from '../../src/text/types.ts';
import { fakeBridge, type Handler, SIGN_IN, sessionToken, status } from './fake-bridge.ts';
import { fakeBrowser } from './fake-browser.ts';

export const issue = { issueId: '10001', issueKey: 'ABC-1' };

export interface Stored {
  epoch?: string;
  seq: number;
  text: string;
}
export const property = ({ epoch = 'e', seq, text }: Stored) => ({
  properties: { [storageKey('checklist')]: { v: 1, epoch, seq, name: 'Checklists', text, progress: {} } },
});
export const acknowledged = ({ epoch = 'e', seq, text }: Stored) => ({
  checklist: { issueId: '10001', epoch, seq, hash: 'h', name: 'Checklists', text, rowIds: [], source: 'PROPERTY' },
  conflicts: [],
  notices: [],
  errors: [],
});
export const refusal = (code: string, message = 'No.') => ({
  checklist: null,
  conflicts: [],
  notices: [],
  errors: [{ code, field: null, message }],
});

/** Requests that wait until the test answers them, the oldest first. */
export function questions<T>() {
  const open: ((answer: T) => void)[] = [];
  const asked: unknown[] = [];
  return {
    asked,
    ask: (question: unknown) => {
      asked.push(question);
      return new Promise<T>(resolve => open.push(resolve));
    },
    answerNow: (answer: T) => open.shift()?.(answer),
    answer: async (answer: T, place = 0) => {
      await vi.waitFor(() => expect(open.length).toBeGreaterThan(place));
      open.splice(place, 1)[0]?.(answer);
      await new Promise(resolve => setTimeout(resolve));
    },
  };
}

/** The variables that the mutation sends. */
export interface Mutation {
  operationName: string;
  input: {
    clientId: string;
    base: { epoch: string; seq: number; hash: string; text?: string };
    change: ChecklistChange;
  };
}
const mutationOf = (json: unknown): Mutation => {
  const { operationName, variables } = json as { operationName: string; variables: { input: Mutation['input'] } };
  return { operationName, input: variables.input };
};

/** Timeout in milliseconds, for busy machines. */
const TIMEOUT = 20_000;

/**
 * Waits for a condition with faked timers. Hashes are computed in other threads, so a number of microtasks would not
 * do.
 */
export async function until(so: () => boolean): Promise<void> {
  const end = performance.now() + TIMEOUT;
  while (!so() && performance.now() < end) await new Promise(resolve => setImmediate(resolve));
  expect(so()).toBe(true);
}

export const setStatus = (store: ChecklistStore, target: Target, slug: string) =>
  store.change({ kind: 'setItemStatus', target, status: slug }).outcome;
export const addItems = (store: ChecklistStore, text: string) =>
  store.change({ kind: 'addChecklistItemsFromText', text }).outcome;
export const deleteItem = (store: ChecklistStore, target: Target) =>
  store.change({ kind: 'deleteChecklistItem', target }).outcome;

/** A checklist in a frame of a browser, with a tracker and a server that the test or the given handlers answer. */
export function world(parts: { tracker?: Handler; query?: Handler; page?: Page } = {}) {
  const mutations = questions<object>();
  const reads = questions<object>();
  const bridge = fakeBridge({
    tracker: parts.tracker ?? ((path, init) => reads.ask({ path, init })),
    owner: async () => ({ tenant: 'tracker', account: 'account' }),
    server: async (path, init) => {
      if (path === SIGN_IN) return { token: sessionToken('one') };
      const { operationName } = init.json as { operationName: string };
      if (['getChecklist', 'reportSeen'].includes(operationName))
        return (parts.query ?? (() => status(500)))(path, init);
      const payload = await mutations.ask(mutationOf(init.json));
      return 'status' in payload ? payload : { data: { changeChecklist: payload } };
    },
  });
  const graphql = createGraphql(bridge, createSession(bridge));
  const page = parts.page ?? fakeBrowser().frame();
  const store = createChecklist(
    {
      bridge,
      graphql,
      outbox: async () => host => createOutbox(host, page),
      urgent: hasUnsentChanges(issue.issueId, page.storage),
    },
    issue,
  );
  const sent = () => mutations.asked as Mutation[];
  return { bridge, store, mutations, reads, sent };
}

/** A checklist that has been read. */
export async function opened(text: string, seq = 1, parts: Parameters<typeof world>[0] = {}) {
  const opening = world(parts);
  await opening.store.prepare();
  const done = opening.store.refresh();
  await opening.reads.answer(property({ seq, text }));
  await done;
  return opening;
}

export const shown = (store: ChecklistStore) => store.get()?.text;
