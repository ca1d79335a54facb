import { afterEach, beforeAll, expect } from 'vitest';
import { storageKey } from '../../../src/domain/storage.ts';
import { sameField } from '../../../src/server/checklists/read/stored.ts';
import { startApp, type TestApp } from './app.ts';
import { type IssueWork, newIssue, update } from './checklists.ts';
import { later, onStore, type TestStore } from './stores.ts';
import { ADDON_ACCOUNT, type FakeIssue, type FakeTracker, OWN_FIELD } from './tracker.ts';

export const PROPERTY = storageKey('checklist');

/** Helpers for synchronisation tests. */
export interface SyncWork {
  held(issue: IssueWork): FakeIssue;
  /** Writes the property as another app does, without an event. */
  place(issue: IssueWork, value: unknown): void;
  /** An issue whose copies both hold a text. */
  settledIssue(text: string): Promise<IssueWork>;
  field(issue: IssueWork): unknown;
  history(issue: IssueWork): Promise<Record<string, unknown>[]>;
  /** Sends an event of an account: of the property, or of the issue, without details. */
  event(issue: IssueWork, what?: 'property' | 'updated' | 'deleted', account?: string): Promise<void>;
  /** Calls for the issue's copies during some work. */
  callsOf(work: () => Promise<unknown>): Promise<string[]>;
  /** Expects that both copies hold the newest revision, and that repeated events cause no write. */
  quiet(issue: IssueWork, text: string): Promise<void>;
}

/** Name of a call for an issue's copies; `undefined` for others. */
export function nameOf({ method, path }: Pick<FakeTracker['calls'][number], 'method' | 'path'>): string | undefined {
  if (path.startsWith('/rest/api/3/issue/properties/')) return 'swap property';
  if (path.endsWith(`/properties/${encodeURIComponent(PROPERTY)}`)) return 'write property';
  if (path.includes('/properties/')) return 'keep property';
  if (path.endsWith('/changelog')) return 'read changelog';
  if (!/\/issue\/\d+$/.test(path)) return undefined;
  return method === 'PUT' ? 'write field' : 'read issue';
}

export function syncWork(it: TestApp, { raw }: Pick<TestStore, 'raw'>): SyncWork {
  const work: SyncWork = {
    held(issue) {
      const held = it.tracker.issues.get(issue.id);
      if (!held) throw new Error('No issue.');
      return held;
    },
    place(issue, value) {
      work.held(issue).properties[PROPERTY] = value;
    },
    async settledIssue(text) {
      const issue = await newIssue(it);
      await issue.edit(update(text));
      await it.settled();
      return issue;
    },
    field: issue => work.held(issue).fields[OWN_FIELD],
    history: issue =>
      raw('select epoch, seq, kind, account, text, name from revision where issue = $1 order by created, seq', [
        issue.id,
      ]),
    async event(issue, kind = 'updated', account = 'mallory') {
      const tenant = await it.tenants.find(it.tenant.id);
      if (tenant)
        await it.sync.noticed({ tenant, account }, issue.id, {
          kind,
          mayHide: false,
          isOfChecklist: kind === 'property',
        });
    },
    async callsOf(does) {
      const before = it.tracker.calls.length;
      await does();
      return it.tracker.calls.slice(before).flatMap(call => nameOf(call) ?? []);
    },
    async quiet(issue, text) {
      await it.settled();
      const last = (await work.history(issue)).at(-1);
      const { epoch, seq } = await issue.read();
      expect(last).toMatchObject({ epoch, seq, text });
      expect(await issue.stored()).toMatchObject({ v: 1, epoch, seq, text });
      expect(sameField(String(work.field(issue) ?? ''), text)).toBe(true);
      const calls = await work.callsOf(async () => {
        for (const account of [ADDON_ACCOUNT, 'mallory', ADDON_ACCOUNT]) {
          await work.event(issue, 'property', account);
          await work.event(issue, 'updated', account);
          await it.settled();
        }
      });
      expect(calls.filter(name => name !== 'read issue')).toEqual([]);
      expect(await issue.read()).toMatchObject({ epoch, seq, text, source: 'PROPERTY' });
    },
  };
  return work;
}

/** Starts an app on a store, with helpers; for `beforeAll`, which closes the app. */
export async function startSync(store: Pick<TestStore, 'store' | 'raw'>): Promise<{ it: TestApp; work: SyncWork }> {
  const it = await startApp(store.store);
  return { it, work: syncWork(it, store) };
}

/** Removes the faults of a test and its waiting jobs; for `afterEach`. */
export function endFaults({ tracker, background }: TestApp): void {
  Object.assign(tracker, { faults: [], meanwhile: [], lost: [] });
  background.lose();
}

/** What tests of synchronisation get: their database, an app on it with its helpers, to be used in tests and hooks. */
export interface SyncParts {
  use: () => TestStore;
  it: TestApp;
  work: SyncWork;
}

/** Runs tests (`onStore`) on an app that starts before the first one; each ends without its faults and waiting jobs. */
export function onSync(tests: (parts: SyncParts) => void): void {
  onStore(use => {
    let started: Awaited<ReturnType<typeof startSync>> | undefined;
    beforeAll(async () => {
      const { it, work } = await startSync(use());
      started = { it, work };
      return () => it.app.close();
    });
    const it = later(() => started?.it);
    afterEach(() => endFaults(it));
    tests({ use, it, work: later(() => started?.work) });
  });
}

/** Lines of a text in alphabetical order: merges do not define the position of added rows. */
export const linesOf = (text: unknown): string[] => String(text).trim().split('\n').toSorted();

export const asObject = (value: unknown): object => (typeof value === 'object' && value ? value : {});
