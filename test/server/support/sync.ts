import { expect } from 'vitest';
import { storageKey } from '../../../src/domain/storage.ts';
import { sameField } from '../../../src/server/checklists/copies/field.ts';
import { startApp, type TestApp } from './app.ts';
import { type IssueWork, newIssue, update } from './checklists.ts';
import type { TestStore } from './stores.ts';
import { ADDON_ACCOUNT, type FakeIssue, type FakeTracker, OWN_FIELD } from './tracker.ts';

export const PROPERTY = storageKey('checklist');

/** What tests of synchronisation look at and do, besides changes. */
export interface SyncWork {
  held(issue: IssueWork): FakeIssue;
  /** Writes the property as another app does; no event tells of it. */
  place(issue: IssueWork, value: unknown): void;
  /** An issue whose copies both hold a text. */
  settledIssue(text: string): Promise<IssueWork>;
  field(issue: IssueWork): unknown;
  history(issue: IssueWork): Promise<Record<string, unknown>[]>;
  /** The tracker tells of something that this account did: of the property, or of the issue, where nothing says of what. */
  event(issue: IssueWork, what?: 'property' | 'updated' | 'deleted', account?: string): Promise<void>;
  /** Calls that the tracker gets meanwhile, for nothing but the issue's copies. */
  callsOf(work: () => Promise<unknown>): Promise<string[]>;
  /** Both copies hold the newest revision, and nothing more is written, whatever events still come. */
  quiet(issue: IssueWork, text: string): Promise<void>;
}

/** A call by what it does to an issue's copies; `undefined` for any other. */
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
      if (tenant) await it.sync.noticed({ tenant, account }, issue.id, { kind, mayHide: false });
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

/** An app on a store, and what its tests do with it; for `beforeAll`, which closes the app. */
export async function startSync(store: Pick<TestStore, 'store' | 'raw'>): Promise<{ it: TestApp; work: SyncWork }> {
  const it = await startApp(store.store);
  return { it, work: syncWork(it, store) };
}

/** Takes back the faults of a test, and drops what waits; for `afterEach`. */
export function endFaults({ tracker, background }: TestApp): void {
  Object.assign(tracker, { faults: [], meanwhile: [], lost: [] });
  background.lose();
}

/** A text's lines in alphabetical order: merges say which lines there are, not where a new one comes in. */
export const linesOf = (text: unknown): string[] => String(text).trim().split('\n').toSorted();

export const asObject = (value: unknown): object => (typeof value === 'object' && value ? value : {});
