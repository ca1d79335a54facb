import { randomUUID } from 'node:crypto';
import type { ChecklistChange } from '../../../src/domain/change.ts';
import { parseChecklistProperty, storageKey } from '../../../src/domain/storage.ts';
import { Refused } from '../../../src/server/errors/refused.ts';
import type { Tenant } from '../../../src/server/platform/tenants.ts';
import { startAgain, startApp, type TestApp } from '../support/app.ts';
import { EDITOR, workOn } from '../support/checklists.ts';
import { createDrivenQueue, type DrivenQueue } from '../support/driven-queue.ts';
import { createMortal, type Mortal } from '../support/mortal.ts';
import type { TestStore } from '../support/stores.ts';
import { ADDON_ACCOUNT, type FakeTracker, OWN_FIELD, writeFields } from '../support/tracker.ts';
import type { Backup } from './backup.ts';
import { createTrackerState, type TrackerState } from './tracker-state.ts';

export const PROPERTY = storageKey('checklist');

/** A row that was written to an issue, by its words, and who may be named as its author. */
interface WrittenRow {
  issue: string;
  words: string;
  authors: readonly string[];
  mayBeLost?: boolean;
}

/** A change that a user saved, by its id. */
interface SavedChange {
  issue: string;
  client: string;
  kind: string;
}

/** A process of the app. */
interface Process extends Mortal {
  background: DrivenQueue;
}

/** A site with some issues, and the process that works for it. */
export interface TriedSite {
  /** The process's app. */
  it(): TestApp;
  process(): Process;
  tracker: FakeTracker;
  state: TrackerState;
  raw: TestStore['raw'];
  store: TestStore['store'];
  /** Ids of the issues. */
  ids: string[];
  issueAt(place: number): string;
  tenant(): Promise<Tenant>;
  /** Rows and changes that the history has to name. */
  written: WrittenRow[];
  saved: SavedChange[];
  /** Issues with a change that the app got no event of: a synchronisation finds it. */
  unnoticed: Set<string>;
  /** The last backup, and whether it was restored: the history then lacks later changes. */
  backup: Backup | undefined;
  isRestored: boolean;
  /** Errors that jobs and changes ended with. */
  errors: unknown[];
  /** Words that no other row has. */
  words(): string;
  propertyText(id: string): string;
  fieldText(id: string): string;
  noticed(id: string, account: string, event: object): Promise<void>;
  /** Writes the field as `mallory` does, with the words of a new row. */
  writeField(id: string, text: string): void;
  fieldEvent(id: string, to: string, account: string): Promise<void>;
  /** Changes a checklist as a user. A page sends a change again to the next process if the first one was killed. */
  edit(id: string, change: ChecklistChange, options?: { client?: string; words?: string }): Promise<void>;
  /** Advances the clock of calls to the tracker by some milliseconds. */
  elapse(delay: number): void;
  /** The search for lost work, as at a start and every ten minutes. */
  recover(): Promise<void>;
  sweep(): Promise<void>;
  /** Starts another process after this one; `isLong` ends the watch. */
  restart(isLong: boolean): Promise<void>;
}

export async function createSite({ store, raw }: TestStore): Promise<TriedSite> {
  const errors: unknown[] = [];
  function createProcess(send: typeof fetch): Process {
    const mortal = createMortal(store, send);
    const onError = (error: unknown) => {
      if (!mortal.isKilled()) errors.push(error);
    };
    return { ...mortal, background: createDrivenQueue(mortal.store, statement => raw(statement), onError) };
  }
  // The tracker exists once the app is started.
  let process = createProcess((input, init) => it.tracker.fetch(input, init));
  let it: TestApp = await startApp(
    ...([process.store, {}, undefined, undefined, undefined] as const),
    () => process.send,
    process.background,
  );
  const { tracker } = it;
  const state = createTrackerState(tracker);
  tracker.granted.set('admin', [...EDITOR, 'ADMINISTER', 'ADMINISTER_PROJECTS']);
  tracker.granted.set('user', EDITOR);
  let [count, elapsed] = [0, 0];

  function listenToWrites(): void {
    const { onProperty } = tracker;
    tracker.onProperty = async id => {
      if (!state.isDeaf) await onProperty(id);
    };
  }
  listenToWrites();
  tracker.onFields = async (id, fields) => {
    if (!state.isDeaf) await site.fieldEvent(id, String(fields[OWN_FIELD] ?? ''), ADDON_ACCOUNT);
  };

  const site: TriedSite = {
    it: () => it,
    process: () => process,
    ...{ tracker, state, raw, store, errors },
    ...{ ids: [], written: [], saved: [], unnoticed: new Set(), backup: undefined, isRestored: false },
    issueAt: place => site.ids[place] ?? '',
    async tenant() {
      const found = await it.tenants.find(it.tenant.id);
      if (!found) throw new Error('Not installed.');
      return found;
    },
    words() {
      count += 1;
      return `word${count} of ${Math.imul(count, 2_654_435_761) >>> 0}`;
    },
    propertyText(id) {
      const stored = parseChecklistProperty(state.held(id).properties[PROPERTY]);
      return 'text' in stored ? stored.text : '';
    },
    fieldText: id => String(state.held(id).fields[OWN_FIELD] ?? ''),
    async noticed(id, account, event) {
      const found = await it.tenants.find(it.tenant.id);
      if (found) await it.sync.noticed({ tenant: found, account }, id, { mayHide: false, ...event } as never);
    },
    writeField: (id, text) => writeFields(state.held(id), { [OWN_FIELD]: text }, 'mallory'),
    fieldEvent: (id, to, account) =>
      site.noticed(id, account, { kind: 'updated', changes: [{ id: OWN_FIELD, name: 'Checklist Text', to }] }),
    async edit(id, change, { client = randomUUID(), words } = {}) {
      if (!tracker.issues.has(id)) return;
      try {
        const issue = await workOn(it, id, 'user');
        const before = await issue.read();
        const { checklist } = await issue.change(change, before, client);
        // Each row has words of its own; a tick may change nothing.
        if (words === undefined && checklist.seq === before.seq && checklist.epoch === before.epoch) return;
        site.saved.push({ issue: id, client, kind: change.kind });
        if (words !== undefined) site.written.push({ issue: id, words, authors: ['user'] });
      } catch (error) {
        if (process.isKilled()) throw error;
        if (!(error instanceof Refused)) errors.push(error);
      }
    },
    elapse(delay) {
      elapsed += delay;
      it.elapse(delay);
    },
    async recover() {
      await it.sync.recover();
      await it.wideJobs.recover();
      await it.recoverProjects();
      await it.refreshIndexes();
    },
    async sweep() {
      const run = { signal: new AbortController().signal, lastTry: false };
      await it.jobs.sweep({ tenant: it.tenant.id }, run).catch(error => {
        if (!state.isProvoked && !process.isKilled()) errors.push(error);
      });
    },
    async restart(isLong) {
      const before = it;
      await raw(`update queue set beat = now() - interval '1 minute' where beat is not null`);
      if (isLong) await raw(`update watch set beat = now() - interval '1 minute'`);
      process = createProcess(tracker.fetch);
      it = await startAgain(before, process);
      listenToWrites();
      it.elapse(elapsed);
      await before.app.close().catch(() => undefined);
      await site.recover();
    },
  };
  return site;
}
