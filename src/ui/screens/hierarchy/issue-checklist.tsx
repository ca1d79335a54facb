import { useEffect, useMemo, useState } from 'react';
import type { TreeIssue } from '../../../client/hierarchy/issue.ts';
import type { Summary } from '../../../client/hierarchy/summaries.ts';
import type { Counts } from '../../../client/hierarchy/tree.ts';
import { selecting as words } from '../../../domain/messages.ts';
import { progressOf } from '../../../text/progress.ts';
import { ChecklistContent, LoadFailure, useChecklistView } from '../../checklist/checklist-view.tsx';
import { Button } from '../../kit/button.tsx';
import { useLayer } from '../../kit/use-layer.ts';
import { type History, useUndo } from '../../model/checklist/undo-history.ts';
import { noSelection } from '../../model/rows/row-keys.ts';
import { useChecklistStatuses } from '../../model/use-statuses.ts';
import { useDialogs } from '../../shell/navigation/dialogs.tsx';
import { type Services, ServicesProvider, UserProvider, useServices, useUser } from '../../shell/services/services.ts';

interface Props {
  issue: TreeIssue;
  permissions: Summary['permissions'];
  /** Called with the shown checklist's counts; `undefined` on unmount. */
  onCounts(id: string, counts: Counts | undefined): void;
  /** Called for each step, with the history to undo it. */
  onMade(id: string, history: History): void;
  /** Called when the checklist has to be shown: a change was rejected. */
  onNeed(id: string): void;
  /** Called with whether closing would lose typed or unsent text. */
  onBusy(id: string, busy: boolean): void;
  say(words: string): void;
}

/**
 * An issue's checklist in the tree, with the services and the user of a panel on that issue. Permissions lost while it is
 * open keep their controls: unmounting an input would lose its text, and the server refuses the change.
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
        <Content {...props} typing={typing} />
      </UserProvider>
    </ServicesProvider>
  );
}

/** The services of a panel on that issue, and whether an input below it has typed text, by its navigation blockers. */
function useIssueServices({ id: issueId, key: issueKey, projectId }: TreeIssue): {
  typing: boolean;
  services: Services;
} {
  const outer = useServices();
  const [holds, setHolds] = useState(0);
  const services = useMemo(() => {
    const { host, navigation } = outer;
    const hold = () => {
      const release = navigation.hold();
      setHolds(count => count + 1);
      return () => {
        release();
        setHolds(count => count - 1);
      };
    };
    return {
      ...outer,
      host: { ...host, issueId, issueKey, projectId, projectKey: issueKey.replace(/-\d+$/, '') },
      navigation: { ...navigation, hold },
    };
  }, [outer, issueId, issueKey, projectId]);
  return { typing: holds > 0, services };
}

interface ContentProps extends Omit<Props, 'permissions'> {
  typing: boolean;
}

function Content({ issue, typing, onCounts, onMade, onNeed, onBusy, say }: ContentProps) {
  const { id, key } = issue;
  const user = useUser();
  const dialogs = useDialogs();
  const used = useChecklistView({ issueId: id, issueKey: key });
  const { store, view, failure, retry, actions, keys, selection, setSelection } = used;
  useChecklistStatuses(store);
  const history = useUndo(store, actions, user);

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

  const selected = keys.filter(key => selection.keys.has(key)).length;
  useLayer(selected > 0, () => setSelection(noSelection), true);

  const message = failure === undefined ? null : <LoadFailure failure={failure} retry={retry} />;
  if (!view) return message ?? <p className="tree-note">Loading…</p>;
  const edit = () => dialogs.open('editor', { issueId: id, issueKey: key });
  return (
    <>
      {message}
      <ChecklistContent
        used={used}
        view={view}
        tools={
          user.canEditChecklist ? (
            <Button appearance="subtle" onClick={() => void edit()}>
              Open editor
            </Button>
          ) : null
        }
        inputLabel={`Add an item to ${key}`}
        say={say}
      >
        <p className="check-select-hint" role="status">
          {selected === 0 ? '' : words.selected(selected)}
        </p>
      </ChecklistContent>
    </>
  );
}
