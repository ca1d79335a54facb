import type { HostBridge } from '../../bridge/bridge.ts';
import { createTimer } from '../../domain/timing.ts';
import type { GraphqlClient } from '../graphql.ts';
import { createStore, type Store } from '../store.ts';
import { throttled } from '../tracker/throttle.ts';
import { growTree, readTree } from './grow.ts';
import { getSummaries, MAX_SUMMARIES, type Summary } from './summaries.ts';
import type { Counts, IssueTree } from './tree.ts';

/** A tree of issues and the progress of their checklists, as far as read. */
export interface HierarchyView {
  tree: IssueTree | undefined;
  /** By issue; `null` if the checklist is not visible, absent if not read yet. */
  summaries: ReadonlyMap<string, Summary | null>;
  /** Counts of the checklists open in this frame, newer than the summaries. */
  live: ReadonlyMap<string, Counts>;
  /** The part that is being read. */
  reading: 'tree' | 'checklists' | undefined;
  /** End of a throttling pause of the tracker, milliseconds since the epoch. */
  waitsUntil: number | undefined;
  /** Why counts of checklists are missing or stale. */
  summaryError: unknown;
  /** Linked issues whose own trees are being read. */
  growing: ReadonlySet<string>;
}

export interface Hierarchy extends Store<HierarchyView> {
  /** Reloads everything. Rejects when the tree cannot be read; the previous one stays. */
  refresh(signal?: AbortSignal): Promise<void>;
  /** Reads the descendants of a linked issue. Rejects on failure. */
  grow(id: string): Promise<void>;
  /** Marks the counts of these issues as stale. */
  stale(ids: readonly string[]): void;
  /** Marks all requested counts as stale, after lost events. */
  gap(): void;
  /** Retries the missing counts. */
  retry(): void;
  /** Sets the counts of a checklist open in this frame; `undefined` when it closes. */
  learn(id: string, counts: Counts | undefined): void;
  stop(): void;
}

/** Stale counts are read after a pause, in one request. */
const SETTLE_DELAY_MS = 400;

export const countsOf = ({ live, summaries }: Pick<HierarchyView, 'live' | 'summaries'>, id: string) =>
  live.get(id) ?? summaries.get(id) ?? undefined;

/** Creates the hierarchy around an issue: first the tree visible to the user, then the counts. */
export function createHierarchy(
  { bridge, graphql }: { bridge: HostBridge; graphql: GraphqlClient },
  issueKey: string,
): Hierarchy {
  const store = createStore<HierarchyView>({
    ...{ tree: undefined, reading: 'tree', waitsUntil: undefined, summaryError: undefined },
    ...{ summaries: new Map(), live: new Map(), growing: new Set() },
  });
  const set = (part: Partial<HierarchyView>) => store.set({ ...store.get(), ...part });
  const grown = new Set<string>();
  let marked = new Set<string>();

  const calls = (signal: AbortSignal | undefined) =>
    throttled(bridge, { signal, onWait: waitsUntil => set({ waitsUntil }) });

  /** Requests are numbered; `answered` holds the newest answered one by issue. */
  let requests = 0;
  /** All issues requested so far. */
  const requestedIds = new Set<string>();
  const answered = new Map<string, number>();

  /** Failures keep the counts, as do answers to superseded requests. */
  const readSummaries = async (ids: readonly string[], signal?: AbortSignal) => {
    let summaryError: unknown;
    for (let from = 0; from < ids.length && summaryError === undefined; from += MAX_SUMMARIES) {
      const issueIds = ids.slice(from, from + MAX_SUMMARIES);
      requests += 1;
      const request = requests;
      for (const id of issueIds) requestedIds.add(id);
      try {
        const { checklistSummaries } = await graphql.query(getSummaries, { issueIds }, signal);
        if (signal?.aborted) return;
        const summaryOf = new Map(checklistSummaries.map(summary => [summary.issueId, summary]));
        const summaries = new Map(store.get().summaries);
        for (const id of issueIds) {
          if ((answered.get(id) ?? 0) > request) continue;
          answered.set(id, request);
          summaries.set(id, summaryOf.get(id) ?? null);
        }
        set({ summaries });
      } catch (error) {
        if (signal?.aborted) return;
        summaryError = error ?? new Error();
      }
    }
    set({ summaryError });
  };

  const issueIdsOfTree = () => [...(store.get().tree?.issues.keys() ?? [])];
  const unread = () => issueIdsOfTree().filter(id => !store.get().summaries.has(id));

  const settle = () => {
    const ids = issueIdsOfTree().filter(id => marked.has(id));
    marked = new Set();
    if (ids.length > 0) void readSummaries(ids);
  };

  const settling = createTimer(settle);
  const stale = (ids: Iterable<string>) => {
    for (const id of ids) marked.add(id);
    settling.start(SETTLE_DELAY_MS);
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: async signal => {
      const first = store.get().tree === undefined;
      set({ reading: 'tree' });
      try {
        const grownBefore = [...grown];
        const firstTree = await readTree(calls(signal), issueKey, grownBefore, tree => first && set({ tree }));
        // A linked issue may have been expanded meanwhile.
        const added = [...grown].filter(id => !grownBefore.includes(id));
        const tree = added.length > 0 ? await growTree(calls(signal), firstTree, added) : firstTree;
        if (signal?.aborted) return;
        set({ tree, reading: 'checklists' });
        await readSummaries(issueIdsOfTree(), signal);
      } finally {
        if (!signal?.aborted) set({ reading: undefined });
      }
    },
    grow: async id => {
      const { tree, growing } = store.get();
      if (!tree || tree.children.has(id) || growing.has(id)) return;
      set({ growing: new Set(growing).add(id) });
      try {
        const grownTree = await growTree(calls(undefined), tree, [id]);
        grown.add(id);
        // A tree read meanwhile is newer, and lacks these descendants.
        const { tree: latest = grownTree } = store.get();
        set({
          tree: {
            ...latest,
            issues: new Map([...grownTree.issues, ...latest.issues]),
            children: new Map([...grownTree.children, ...latest.children]),
            more: latest.more || grownTree.more,
          },
        });
        await readSummaries(unread());
      } finally {
        const stillGrowing = new Set(store.get().growing);
        stillGrowing.delete(id);
        set({ growing: stillGrowing });
      }
    },
    stale,
    // Counts not requested yet will be read fresh.
    gap: () => stale(requestedIds),
    retry: () => void readSummaries(store.get().summaryError === undefined ? unread() : issueIdsOfTree()),
    learn: (id, counts) => {
      const live = new Map(store.get().live);
      // A closed checklist shows its summary again.
      if (counts) live.set(id, counts);
      else live.delete(id);
      set({ live });
    },
    stop: settling.stop,
  };
}
