import Heading from '@atlaskit/heading';
import { Suspense, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { MAX_ISSUES } from '../../../client/hierarchy/grow.ts';
import { countsOf, type HierarchyView } from '../../../client/hierarchy/hierarchy.ts';
import type { TreeIssue } from '../../../client/hierarchy/issue.ts';
import { type RollUp, rollUps } from '../../../client/hierarchy/tree.ts';
import { refusals, hierarchy as words } from '../../../domain/messages.ts';
import { scrolls } from '../../../domain/pages.ts';
import { UndoLine } from '../../checklist/undo-line.tsx';
import { ErrorView, Loading } from '../../kit/content-state.tsx';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import { Message } from '../../kit/message.tsx';
import type { History } from '../../model/checklist/undo-history.ts';
import { HelpOverlayButton } from '../../shell/help/help-overlay.tsx';
import { useHostContext, useNotify, useUser } from '../../shell/services/services.ts';
import { PickIssue, TreeFilters } from './hierarchy-toolbar.tsx';
import { TreeChecklist } from './issue-checklist.tsx';
import { Tree, type TreeHandle } from './tree/tree.tsx';
import { isFiltered, rowsOf, type TreeRow, wholeTree } from './tree/tree-rows.ts';
import { addOpened, LiveIssues, LoadErrors, Pause, treeFailure, useHierarchy } from './use-hierarchy.tsx';
import '../../checklist/checklist.css';
import '../../checklist/bar.css';
import './hierarchy.css';
import './tree/tree.css';

const Apply = lazyComponent(() => import('./apply-template.tsx'));

/** The progress of an issue's hierarchy: parents, children and linked issues. */
export default function HierarchyScreen() {
  const { issueKey } = useHostContext();
  const { isAnonymous } = useUser();
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const key = picked ?? issueKey;
  if (isAnonymous) return <Message appearance="warning">{refusals.permission}</Message>;
  if (key === undefined) return <PickIssue onPick={setPicked} />;
  return <Shown key={key} issueKey={key} picked={picked !== undefined} />;
}

const without = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set([...ids].filter(each => each !== id));

interface ShownProps {
  issueKey: string;
  /** Picked by the user: the form that had the focus is unmounted. */
  picked: boolean;
}

function Shown({ issueKey, picked }: ShownProps) {
  const notify = useNotify();
  const { surface } = useHostContext();
  const { hierarchy, view, failure, retry } = useHierarchy(issueKey);
  const { tree } = view;
  const [filter, setFilter] = useState(wholeTree);
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [opened, setOpened] = useState<ReadonlyMap<string, TreeIssue>>(new Map());
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const [branch, setBranch] = useState<{ id: string; error: unknown } | undefined>(undefined);
  const [visible, setVisible] = useState<readonly string[]>([]);
  const [applying, setApplying] = useState<TreeIssue | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [last, setLast] = useState<{ id: string; history: History } | undefined>(undefined);
  const [announcement, announce] = useState('');
  const handle = useRef<TreeHandle>(null);
  /** Ids of issues whose open checklists have typed or unsent text. */
  const busyLists = useRef(new Set<string>());
  const goTo = useCallback((path: string) => {
    const current: TreeHandle | null = handle.current;
    current?.focus(path);
  }, []);

  const { summaries, live } = view;
  const counts = useCallback((id: string) => countsOf({ summaries, live }, id), [summaries, live]);
  const mayApply = useCallback((id: string) => summaries.get(id)?.permissions.canImportTemplate ?? false, [summaries]);
  const sums = useMemo(
    () => (tree ? rollUps(tree, counts, mayApply) : new Map<string, RollUp>()),
    [tree, counts, mayApply],
  );
  const rows = useMemo(
    () => (tree ? rowsOf({ tree, filter, toggled, countsOf: counts, kept: shown }) : []),
    [tree, filter, toggled, counts, shown],
  );

  const grow = useCallback(
    (id: string) => {
      setBranch(undefined);
      hierarchy.grow(id).catch((error: unknown) => setBranch({ id, error }));
    },
    [hierarchy],
  );
  const toggle = useCallback(
    (some: readonly TreeRow[]) => {
      setToggled(known => {
        const next = new Map(known);
        for (const { path, expanded } of some) next.set(path, !expanded);
        return next;
      });
      for (const { issue, relation, expanded } of some) if (relation !== undefined && !expanded) grow(issue.id);
    },
    [grow],
  );
  const setAll = (open: boolean) => {
    if (!tree) return;
    // Close all leaves the root open.
    const every = rowsOf({ tree, filter: wholeTree, toggled: everything, countsOf: counts, kept: shown });
    const expandableRows = every.filter(({ relation, expandable }) => relation === undefined && expandable);
    setToggled(new Map(expandableRows.map(({ path, level }) => [path, open || level === 1])));
  };
  const toggleChecklist = useCallback(
    ({ issue }: TreeRow) => {
      const { id } = issue;
      if (!summaries.get(id)) {
        if (summaries.has(id)) notify(words.hidden, 'info');
        return;
      }
      if (shown.has(id)) return setShown(without(shown, id));
      const stays = (each: string) => each === last?.id || shown.has(each) || busyLists.current.has(each);
      const room = addOpened(opened, issue, stays);
      if (!room) return notify(words.tooManyOpen, 'warning');
      // Counts of a closed checklist came from itself: load them again.
      if (room.left.length > 0) hierarchy.stale(room.left);
      setOpened(room.opened);
      setShown(new Set(shown).add(id));
    },
    [summaries, shown, opened, last, hierarchy, notify],
  );
  const find = useCallback(
    ({ issue: { id } }: TreeRow) => {
      const firstRow = rows.find(row => row.issue.id === id && !row.repeated);
      if (firstRow) return goTo(firstRow.path);
      setFilter(wholeTree);
      if (!tree) return;
      const every = rowsOf({ tree, filter: wholeTree, toggled: everything, countsOf: counts, kept: shown });
      const home = every.find(row => row.issue.id === id && !row.repeated);
      if (!home) return;
      const parts = home.path.split('/').slice(1, -1);
      const above = parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`);
      setToggled(known => new Map([...known, ...above.map(path => [path, true] as const)]));
      goTo(home.path);
    },
    [rows, tree, counts, shown, goTo],
  );
  const clear = () => {
    setFilter({ ...wholeTree, links: filter.links });
    // The button is unmounted with the filter's message.
    if (tree) goTo(`/${tree.root}`);
  };
  const onMade = useCallback((id: string, history: History) => setLast({ id, history }), []);
  const need = useCallback((id: string) => setShown(known => (known.has(id) ? known : new Set(known).add(id))), []);
  const onBusy = useCallback((id: string, now: boolean) => {
    if (now) busyLists.current.add(id);
    else busyLists.current.delete(id);
  }, []);
  const onLiveChange = useCallback((id: string) => hierarchy.stale([id]), [hierarchy]);

  /** Focuses the row of the hierarchy's own issue. */
  const goHome = () => {
    const home = rows.find(({ issue, repeated }) => issue.id === tree?.focus && !repeated) ?? rows[0];
    if (home) goTo(home.path);
  };
  const focusPending = useRef(picked);
  const loaded = tree !== undefined && view.reading !== 'tree';
  const focusHome = useEffectEvent(goHome);
  useEffect(() => {
    if (!loaded || !focusPending.current) return;
    focusPending.current = false;
    if (document.activeElement === document.body) focusHome();
  }, [loaded]);
  /** The error during a retry: its button stays mounted and keeps the focus. */
  const [retried, setRetried] = useState<unknown>(undefined);

  if (!tree) {
    const reason = failure ?? retried;
    if (reason === undefined) return <Reading {...view} />;
    const again = () => {
      focusPending.current = true;
      setRetried(reason);
      retry();
    };
    return (
      <ErrorView title={treeFailure(reason)} onRetry={again} retrying={failure === undefined}>
        {view.waitsUntil === undefined ? null : <Pause until={view.waitsUntil} />}
      </ErrorView>
    );
  }
  return (
    <main className="check-panel hierarchy">
      <header className="tree-title">
        <Heading as="h1" size="medium">
          Smart hierarchy
        </Heading>
        <p className="tree-total" role="status">
          {totalOf(view, sums.get(tree.root))}
        </p>
        {scrolls(surface) ? <HelpOverlayButton /> : null}
      </header>
      <TreeFilters
        filter={filter}
        onFilter={setFilter}
        onExpandAll={() => setAll(true)}
        onCollapseAll={() => setAll(false)}
        onRefresh={retry}
      />
      <LoadErrors
        view={view}
        failure={failure}
        branch={branch?.error}
        onRetry={retry}
        onRetryCounts={hierarchy.retry}
        onRetryBranch={() => branch && grow(branch.id)}
        onLeft={goHome}
      />
      {tree.more ? <p className="tree-note">{words.more(MAX_ISSUES)}</p> : null}
      {applying ? (
        <Suspense fallback={<Loading size="small" />}>
          <Apply
            key={applying.id}
            issue={applying}
            view={view}
            onBusy={setBusy}
            onDone={ids => hierarchy.stale(ids)}
            onClose={() => {
              setApplying(undefined);
              const row = rows.find(({ issue, repeated }) => issue.id === applying.id && !repeated);
              if (row) goTo(row.path);
            }}
          />
        </Suspense>
      ) : null}
      {rows.length === 0 ? (
        <p className="check-empty" role="status">
          No issues match.{' '}
          <button type="button" className="check-send" onClick={clear}>
            Clear filters
          </button>
        </p>
      ) : null}
      <Tree
        handle={handle}
        rows={rows}
        view={view}
        rollUps={sums}
        opened={opened}
        shown={shown}
        checklist={issue => {
          const permissions = summaries.get(issue.id)?.permissions;
          return (
            <TreeChecklist
              issue={issue}
              permissions={permissions ?? nothing}
              onCounts={hierarchy.learn}
              onMade={onMade}
              onNeed={need}
              onBusy={onBusy}
              say={announce}
            />
          );
        }}
        onToggle={toggle}
        onToggleChecklist={toggleChecklist}
        onFind={find}
        onApply={issue => (busy ? notify(words.applying, 'info') : setApplying(issue))}
        onVisible={setVisible}
      />
      <LiveIssues ids={visible} onChange={onLiveChange} />
      {last ? <UndoLine key={last.id} history={last.history} say={announce} /> : null}
      <p className="check-hidden" role="status">
        {isFiltered(filter) ? `${rows.length} ${rows.length === 1 ? 'issue matches' : 'issues match'}.` : announcement}
      </p>
    </main>
  );
}

/** Permissions of an issue whose summary is missing. */
const nothing = {
  canAddChecklistItems: false,
  canChangeItemStatuses: false,
  canDeleteChecklistItems: false,
  canEditChecklist: false,
  canImportTemplate: false,
};

/** Toggles that open every row. */
const everything = { get: () => true };

const Reading = ({ waitsUntil }: HierarchyView) => (
  <div className="hierarchy-reading">
    {waitsUntil === undefined ? null : <Pause until={waitsUntil} />}
    <Loading />
  </div>
);

/** The root's totals, or the state of the first load; refreshes are not shown. */
function totalOf({ reading, summaries }: HierarchyView, sum: RollUp | undefined): string {
  if (!sum) return '';
  const issues = sum.issues === 1 ? '1 issue' : `${sum.issues} issues`;
  if (reading === 'tree' && summaries.size === 0) return `${issues}, loading…`;
  if (reading === 'checklists' && sum.unknown > 0) return `${issues}, loading checklists…`;
  if (sum.unknown === sum.issues) return issues;
  const items = sum.total === 0 ? 'no items' : `${sum.checked} of ${sum.total} items done`;
  return `${issues}, ${items}${sum.mandatoryOpen > 0 ? `, ${sum.mandatoryOpen} mandatory open` : ''}`;
}
