import type { HostBridge } from '../../bridge/bridge.ts';
import type { GraphqlClient } from '../graphql.ts';
import { createStore, type Store } from '../store.ts';
import { throttled } from '../tracker/throttle.ts';
import { growTree, readTree } from './grow.ts';
import { getSummaries, MOST_SUMMARIES, type Summary } from './summaries.ts';
import type { Counts, IssueTree } from './tree.ts';

/** A tree of issues and how far the checklists in it are, as far as that is read. */
export interface HierarchyView {
  tree: IssueTree | undefined;
  /** By issue; `null` where the checklist is not to be seen, missing where that is not known yet. */
  summaries: ReadonlyMap<string, Summary | null>;
  /** Counts of the checklists that are open here: those are newer than what is read. */
  live: ReadonlyMap<string, Counts>;
  /** What is being read. */
  reading: 'tree' | 'checklists' | undefined;
  /** The tracker wants to be left alone until then, in milliseconds since 1970. */
  waitsUntil: number | undefined;
  /** Why the counts of some checklists are missing or old. */
  trouble: unknown;
  /** Issues that others are linked to, whose own trees are being read. */
  growing: ReadonlySet<string>;
}

export interface Hierarchy extends Store<HierarchyView> {
  /** Reads everything anew. Rejects when the tree cannot be read; what was read before stays. */
  refresh(signal?: AbortSignal): Promise<void>;
  /** Reads what is below an issue that another is linked to. Rejects when that fails. */
  grow(id: string): Promise<void>;
  /** The counts of these issues may be others now. */
  stale(ids: readonly string[]): void;
  /** The counts of any issue may be others now than they were answered: those that were asked for are asked for again. */
  gap(): void;
  /** Reads the counts that are missing once more. */
  retry(): void;
  /** Takes the counts of a checklist that is open here; `undefined` when it is closed. */
  learn(id: string, counts: Counts | undefined): void;
  stop(): void;
}

/** Milliseconds in which changes of several checklists are read at once. */
const SETTLE = 400;

export const countsOf = ({ live, summaries }: Pick<HierarchyView, 'live' | 'summaries'>, id: string) =>
  live.get(id) ?? summaries.get(id) ?? undefined;

/** The hierarchy around an issue: first the tree, as the tracker shows it to whoever looks, then the checklists in it. */
export function createHierarchy(
  { bridge, graphql }: { bridge: HostBridge; graphql: GraphqlClient },
  issueKey: string,
): Hierarchy {
  const store = createStore<HierarchyView>({
    ...{ tree: undefined, reading: 'tree', waitsUntil: undefined, trouble: undefined },
    ...{ summaries: new Map(), live: new Map(), growing: new Set() },
  });
  const set = (part: Partial<HierarchyView>) => store.set({ ...store.get(), ...part });
  const grown = new Set<string>();
  let marked = new Set<string>();
  let settling: ReturnType<typeof setTimeout> | undefined;

  const calls = (signal: AbortSignal | undefined) =>
    throttled(bridge, { signal, onWait: waitsUntil => set({ waitsUntil }) });

  /** Questions are numbered: by issue the newest one that was answered. */
  let questions = 0;
  /** Issues that were ever asked about. */
  const asked = new Set<string>();
  const answered = new Map<string, number>();

  /** What fails leaves the counts as they were, and so does an answer that a newer one has overtaken. */
  const readSummaries = async (ids: readonly string[], signal?: AbortSignal) => {
    let trouble: unknown;
    for (let from = 0; from < ids.length && trouble === undefined; from += MOST_SUMMARIES) {
      const issueIds = ids.slice(from, from + MOST_SUMMARIES);
      questions += 1;
      const question = questions;
      for (const id of issueIds) asked.add(id);
      try {
        const { checklistSummaries } = await graphql.query(getSummaries, { issueIds }, signal);
        if (signal?.aborted) return;
        const found = new Map(checklistSummaries.map(summary => [summary.issueId, summary]));
        const summaries = new Map(store.get().summaries);
        for (const id of issueIds) {
          if ((answered.get(id) ?? 0) > question) continue;
          answered.set(id, question);
          summaries.set(id, found.get(id) ?? null);
        }
        set({ summaries });
      } catch (error) {
        if (signal?.aborted) return;
        trouble = error ?? new Error();
      }
    }
    set({ trouble });
  };

  const known = () => [...(store.get().tree?.issues.keys() ?? [])];
  const unread = () => known().filter(id => !store.get().summaries.has(id));

  const settle = () => {
    const ids = known().filter(id => marked.has(id));
    marked = new Set();
    if (ids.length > 0) void readSummaries(ids);
  };

  const stale = (ids: Iterable<string>) => {
    for (const id of ids) marked.add(id);
    clearTimeout(settling);
    settling = setTimeout(settle, SETTLE);
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: async signal => {
      const first = store.get().tree === undefined;
      set({ reading: 'tree' });
      try {
        const own = [...grown];
        const read = await readTree(calls(signal), issueKey, own, tree => first && set({ tree }));
        // Somebody may have opened a linked issue meanwhile.
        const added = [...grown].filter(id => !own.includes(id));
        const tree = added.length > 0 ? await growTree(calls(signal), read, added) : read;
        if (signal?.aborted) return;
        set({ tree, reading: 'checklists' });
        await readSummaries(known(), signal);
      } finally {
        if (!signal?.aborted) set({ reading: undefined });
      }
    },
    grow: async id => {
      const { tree, growing } = store.get();
      if (!tree || tree.children.has(id) || growing.has(id)) return;
      set({ growing: new Set(growing).add(id) });
      try {
        const now = await growTree(calls(undefined), tree, [id]);
        grown.add(id);
        // What was read meanwhile is newer, and knows nothing of this one.
        const { tree: latest = now } = store.get();
        set({
          tree: {
            ...latest,
            issues: new Map([...now.issues, ...latest.issues]),
            children: new Map([...now.children, ...latest.children]),
            more: latest.more || now.more,
          },
        });
        await readSummaries(unread());
      } finally {
        const left = new Set(store.get().growing);
        left.delete(id);
        set({ growing: left });
      }
    },
    stale,
    // What is yet to be asked for in this reading comes as it is then.
    gap: () => stale(asked),
    retry: () => void readSummaries(store.get().trouble === undefined ? unread() : known()),
    learn: (id, counts) => {
      const live = new Map(store.get().live);
      // The counts of one that is closed are as old as their reading.
      if (counts) live.set(id, counts);
      else live.delete(id);
      set({ live });
    },
    stop: () => clearTimeout(settling),
  };
}
