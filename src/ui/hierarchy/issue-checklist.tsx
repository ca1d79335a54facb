import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TreeIssue } from '../../client/hierarchy/issue.ts';
import type { Summary } from '../../client/hierarchy/summaries.ts';
import type { Counts } from '../../client/hierarchy/tree.ts';
import { shell } from '../../domain/messages.ts';
import { progressOf } from '../../text/progress.ts';
import type { Row } from '../../text/types.ts';
import { ChecklistHeader } from '../checklist/header.tsx';
import { AddItem, RejectedChanges } from '../checklist/lazy-parts.ts';
import { RowList } from '../checklist/list/list.tsx';
import ReadOnly from '../checklist/read-only.tsx';
import { Button } from '../kit/button.tsx';
import { Message } from '../kit/message.tsx';
import type { History } from '../model/checklist/undo-history.ts';
import { useUndo } from '../model/checklist/undo-history.ts';
import { useActions } from '../model/checklist/use-actions.ts';
import { failureText, useChecklist } from '../model/checklist/use-checklist.ts';
import { useRowKeys } from '../model/rows/row-keys.ts';
import { noSelection } from '../model/rows/row-selection.ts';
import { useRowFilter } from '../model/rows/use-row-filter.ts';
import { useChecklistStatuses } from '../model/statuses.ts';
import { openDialog } from '../shell/navigation/tracker-dialog.tsx';
import {
  type Services,
  ServicesProvider,
  UserProvider,
  useBridge,
  useNotify,
  useServices,
  useUser,
} from '../shell/services/services.ts';

interface Props {
  issue: TreeIssue;
  permissions: Summary['permissions'];
  /** Told how far it is, as it shows. */
  onCounts(id: string, counts: Counts | undefined): void;
  /** Told that something was done here, and how it is taken back. */
  onMade(id: string, history: History): void;
  /** Something of it has to be seen. */
  onNeed(id: string): void;
  /** Told whether something is in it that would go with it: what is typed, or what is not stored yet. */
  onBusy(id: string, busy: boolean): void;
  say(words: string): void;
}

/**
 * The checklist of an issue in its place in the tree: around it all is as in a panel of that issue. There, too, what was
 * allowed when it was opened is offered on: an input that goes would take along what is typed in it, and the server refuses
 * what is not allowed any more.
 */
export function TreeChecklist({ permissions: now, ...props }: Props) {
  const [permissions, setPermissions] = useState(now);
  const gained = (Object.keys(now) as (keyof typeof now)[]).filter(key => now[key] && !permissions[key]);
  if (gained.length > 0) setPermissions({ ...permissions, ...Object.fromEntries(gained.map(key => [key, true])) });
  const { issue } = props;
  const user = useUser();
  const { typing, services } = useIssueServices(issue);
  const who = useMemo(
    () => ({ ...user, canManageTemplates: false, canSaveTemplate: false, canViewChecklist: true, ...permissions }),
    [user, permissions],
  );
  return (
    <ServicesProvider value={services}>
      <UserProvider value={who}>
        <Work {...props} typing={typing} />
      </UserProvider>
    </ServicesProvider>
  );
}

/**
 * The services as in a panel of that issue, and whether something is typed in what stands below, told by what keeps the
 * page from being left.
 */
function useIssueServices({ id: issueId, key: issueKey, projectId }: TreeIssue): {
  typing: boolean;
  services: Services;
} {
  const around = useServices();
  const [holds, setHolds] = useState(0);
  const services = useMemo(() => {
    const { host, navigation } = around;
    const hold = () => {
      const release = navigation.hold();
      setHolds(count => count + 1);
      return () => {
        release();
        setHolds(count => count - 1);
      };
    };
    return {
      ...around,
      host: { ...host, issueId, issueKey, projectId, projectKey: issueKey.replace(/-\d+$/, '') },
      navigation: { ...navigation, hold },
    };
  }, [around, issueId, issueKey, projectId]);
  return { typing: holds > 0, services };
}

const noRows: readonly Row[] = [];

interface WorkProps extends Omit<Props, 'permissions'> {
  typing: boolean;
}

function Work({ issue, typing, onCounts, onMade, onNeed, onBusy, say }: WorkProps) {
  const { id, key } = issue;
  const user = useUser();
  const bridge = useBridge();
  const notify = useNotify();
  const { store, view, failure, retry } = useChecklist({ issueId: id, issueKey: key });
  useChecklistStatuses(store);
  const actions = useActions(store);
  const history = useUndo(store, actions, user);
  const { view: sight, fold } = useRowFilter(id, view?.model);
  const keys = useRowKeys(view?.model.rows ?? noRows);
  const [selection, setSelection] = useState(noSelection);
  const input = useRef<() => void>(undefined);
  const focusElsewhere = useCallback(() => {
    const focusInput: (() => void) | undefined = input.current;
    focusInput?.();
  }, []);
  const latest = useCallback(() => store.get()?.model, [store]);

  useEffect(() => actions.made.subscribe(() => onMade(id, history)), [actions.made, id, history, onMade]);
  const rows = view?.model.rows;
  useEffect(() => {
    if (rows) onCounts(id, progressOf(rows));
  }, [id, rows, onCounts]);
  useEffect(() => () => onCounts(id, undefined), [id, onCounts]);
  const refused = (view?.rejected.length ?? 0) > 0;
  useEffect(() => {
    if (refused) onNeed(id);
  }, [id, refused, onNeed]);

  const busy = typing || (view !== undefined && view.state !== 'saved');
  useEffect(() => onBusy(id, busy), [id, busy, onBusy]);
  useEffect(() => () => onBusy(id, false), [id, onBusy]);

  const trouble =
    failure === undefined ? null : (
      <Message appearance="error" actions={[{ label: shell.retry, run: retry }]}>
        {failureText(failure)}
      </Message>
    );
  if (!view) return trouble ?? <p className="tree-note">Loading…</p>;
  const { model } = view;
  const edit = async () => {
    await openDialog(bridge, notify, 'editor', { issueId: id, issueKey: key });
    await store.refresh();
  };
  return (
    <>
      {trouble}
      <ChecklistHeader
        rows={model.rows}
        state={view.state}
        copyPending={view.copyPending}
        volatile={view.volatile}
        onSend={store.sendNow}
      >
        {user.canEditChecklist ? (
          <Button appearance="subtle" onClick={() => void edit().catch(() => undefined)}>
            Open editor
          </Button>
        ) : null}
      </ChecklistHeader>
      {refused ? (
        <Suspense fallback={null}>
          <RejectedChanges changes={view.rejected} onResend={store.resend} onDiscard={store.discard} />
        </Suspense>
      ) : null}
      <RowList
        checklist={model}
        keys={keys}
        seen={sight.seen}
        actions={actions}
        user={user}
        selection={selection}
        onSelect={setSelection}
        selecting={false}
        onFold={fold}
        onTakenBack={store.discard}
        latest={latest}
        say={say}
        onHelp={noHelp}
        focusElsewhere={focusElsewhere}
      />
      {model.rows.length > 0 && sight.seen.shown.length === 0 ? (
        <p className="check-empty" role="status">
          All items are completed.{' '}
          <button type="button" className="check-send" onClick={() => sight.setHideCompleted(false)}>
            Show completed items
          </button>
        </p>
      ) : null}
      {model.rows.length === 0 ? <p className="check-empty">This checklist is empty.</p> : null}
      {user.canAddChecklistItems ? (
        <Suspense fallback={<div className="check-add-room" />}>
          <AddItem
            checklist={model}
            label={`Add an item to ${key}`}
            focusRef={input}
            onAdd={text => {
              const change = actions.add(text);
              change.outcome.then(
                () => say('Added.'),
                () => undefined,
              );
              return change;
            }}
            onTakenBack={store.discard}
          />
        </Suspense>
      ) : (
        <ReadOnly />
      )}
    </>
  );
}

const noHelp = () => undefined;
