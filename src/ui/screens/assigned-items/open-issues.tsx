import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { AssignedIssue, AssignedItem } from '../../../client/assigned.ts';
import type { ChecklistStore, ChecklistView } from '../../../client/checklist.ts';
import { createStore, type Store } from '../../../client/store.ts';
import { noPermissions, type PermissionFlags } from '../../../domain/permissions.ts';
import { locate } from '../../../text/rows.ts';
import type { CheckboxRow, Row } from '../../../text/types.ts';
import OverwrittenValues from '../../model/checklist/overwritten-values.tsx';
import type { History } from '../../model/checklist/undo-history.ts';
import { useUndo } from '../../model/checklist/undo-history.ts';
import { type Actions, useActions } from '../../model/checklist/use-actions.ts';
import { useChecklist } from '../../model/checklist/use-checklist.ts';
import { useRowKeys } from '../../model/rows/row-keys.ts';
import { useChecklistStatuses } from '../../model/use-statuses.ts';

/** An issue's checklist, open for changes. */
export interface OpenIssue {
  store: ChecklistStore;
  view: ChecklistView | undefined;
  /** Error of the last load. */
  failure: unknown;
  actions: Actions;
  history: History;
  /** An item's row and its index; `gone` if it was deleted, `undefined` while loading. */
  find(item: AssignedItem): { row: CheckboxRow; index: number } | 'gone' | undefined;
}

/** The open checklists. Other items are shown as the server lists them. */
export interface OpenIssues extends Store<ReadonlyMap<string, OpenIssue>> {
  /** Opens an issue's checklist. */
  open(issue: AssignedIssue): void;
  /** Opens an issue's checklist. Resolves when it is loaded, rejects if that fails. */
  opened(issue: AssignedIssue): Promise<OpenIssue>;
  /** Keeps an item in the list and its checklist open. */
  keep(item: AssignedItem): void;
  /** Keeps an item and records its issue as the last changed one. */
  touch(item: AssignedItem): void;
  touched(item: AssignedItem): boolean;
  /** The issue that was changed last. */
  readonly last: Store<string | undefined>;
}

/** A context of its own: the open checklists are the state of this one screen, not a service of the page. */
const Context = createContext<OpenIssues | undefined>(undefined);

export function useOpenIssues(): OpenIssues {
  const issues = useContext(Context);
  if (!issues) throw new Error('No open issues.');
  return issues;
}

/** The maximum number of open issues without a change. */
const MAX_IDLE_ISSUES = 8;

export const flagsOf = ({ permissions }: AssignedIssue): PermissionFlags => ({
  ...noPermissions,
  canViewChecklist: true,
  ...permissions,
});

/** Provides the open checklists. Calls `onChange` when one has changed. */
export function OpenIssuesProvider({ onChange, children }: { onChange(): void; children: ReactNode }) {
  const [wanted, setWanted] = useState<readonly AssignedIssue[]>([]);
  const [touchedIssues] = useState(() => new Set<string>());
  const { issues, publish } = useMemo(() => {
    const open = createStore<ReadonlyMap<string, OpenIssue>>(new Map());
    const last = createStore<string | undefined>(undefined);
    const touched = new Set<string>();
    const want = (issue: AssignedIssue) =>
      setWanted(now => {
        const knownIssue = now.find(({ id }) => id === issue.id);
        if (knownIssue) return knownIssue === issue ? now : now.map(each => (each === knownIssue ? issue : each));
        const idle = now.filter(({ id }) => !touchedIssues.has(id) && !isFocused(id));
        const leaves = idle.slice(0, Math.max(0, idle.length - MAX_IDLE_ISSUES + 1));
        return [...now.filter(each => !leaves.includes(each)), issue];
      });
    const keep = ({ id, issueId }: AssignedItem) => {
      touched.add(id);
      touchedIssues.add(issueId);
    };
    const issues: OpenIssues = {
      get: open.get,
      subscribe: open.subscribe,
      last,
      open: want,
      opened: issue => {
        want(issue);
        return new Promise((resolve, reject) => {
          const settle = (): boolean => {
            const openIssue = open.get().get(issue.id);
            if (openIssue?.view) resolve(openIssue);
            else if (openIssue?.failure !== undefined) reject(openIssue.failure);
            else return false;
            return true;
          };
          if (settle()) return;
          const stop = open.subscribe(() => {
            if (settle()) stop();
          });
        });
      },
      keep,
      touch: item => {
        keep(item);
        last.set(item.issueId);
      },
      touched: ({ id }) => touched.has(id),
    };
    const publish = (id: string, state: OpenIssue | undefined) => {
      const next = new Map(open.get());
      if (state) next.set(id, state);
      else next.delete(id);
      open.set(next);
    };
    return { issues, publish };
  }, [touchedIssues]);
  return (
    <Context value={issues}>
      {wanted.map(issue => (
        <Opened key={issue.id} issue={issue} publish={publish} onChange={onChange} />
      ))}
      {children}
    </Context>
  );
}

const isFocused = (issue: string): boolean =>
  document.activeElement?.closest<HTMLElement>('[data-issue]')?.dataset.issue === issue;

const noRows: readonly Row[] = [];

interface OpenedProps {
  issue: AssignedIssue;
  publish(id: string, state: OpenIssue | undefined): void;
  onChange(): void;
}

/** Mounts a checklist's store and commands, as in its panel. Renders only what others have overwritten. */
function Opened({ issue, publish, onChange }: OpenedProps) {
  const { id, key: issueKey } = issue;
  const { store, view, failure, retry } = useChecklist({ issueId: id, issueKey });
  useChecklistStatuses(store);
  const actions = useActions(store);
  const keys = useRowKeys(view?.model.rows ?? noRows);
  const [known] = useState(() => new Map<string, number>());
  const history = useUndo(store, actions, flagsOf(issue));
  /** After a rejected change the issue may be deleted or invisible to the user: refreshes it and the list. */
  const refused = useEffectEvent(() => {
    retry();
    onChange();
  });
  useEffect(() => {
    let knownCount = actions.made.get().length;
    return actions.made.subscribe(() => {
      const steps = actions.made.get();
      for (const { change } of steps.slice(knownCount)) change.outcome.catch(() => refused());
      knownCount = steps.length;
    });
  }, [actions.made]);

  const state = useMemo<OpenIssue>(
    () => ({
      ...{ store, view, failure, actions, history },
      find: item => {
        if (!view) return undefined;
        const { rows } = view.model;
        let key = known.get(item.id);
        if (key === undefined) {
          try {
            key = keys[locate(view.model, item)];
          } catch {
            return undefined;
          }
          if (key === undefined) return undefined;
          known.set(item.id, key);
        }
        const index = keys.indexOf(key);
        const row = rows[index];
        return row?.kind === 'checkbox' ? { row, index } : 'gone';
      },
    }),
    [store, view, failure, actions, history, keys, known],
  );
  useLayoutEffect(() => publish(id, state), [publish, id, state]);
  useLayoutEffect(() => () => publish(id, undefined), [publish, id]);

  /** The confirmed revision. */
  const revision = view && `${view.base.epoch} ${view.base.seq}`;
  const before = useRef(revision);
  const failed = failure !== undefined;
  useEffect(() => {
    if (failed || (before.current !== undefined && revision !== before.current)) onChange();
    before.current = revision;
  }, [revision, failed, onChange]);
  return view ? <OverwrittenValues store={store} view={view} /> : null;
}
