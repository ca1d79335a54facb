import { useEffect, useRef, useState } from 'react';
import { failureMessage } from '../../../client/errors.ts';
import { type IssueType, type Project, projectWords, readConversion } from '../../../client/tracker/projects.ts';
import { refusals } from '../../../domain/messages.ts';
import type { CheckboxRow } from '../../../text/types.ts';
import { Button } from '../../kit/button.tsx';
import { EarlyText, useFirstFocus } from '../../kit/early-text.tsx';
import { Check, Select } from '../../kit/form/form.tsx';
import { Popover } from '../../kit/popover.tsx';
import type { ConversionOptions, RowActions } from '../../model/checklist/use-actions.ts';
import { ProjectField } from '../../model/projects.tsx';
import { Cached } from '../../shell/services/query-client.tsx';
import { useBridge, useNotify } from '../../shell/services/services.ts';

interface Props {
  /** The items to convert, each to an issue of its own. */
  rows: readonly CheckboxRow[];
  name: string;
  actions: RowActions;
  onClose(withFocus: boolean): void;
}

type Chosen = Pick<Project, 'id' | 'key' | 'name'>;

/** The issue types of a project that fit: sub-tasks in the issue's own project only. One of a sub-task goes beside it. */
const fitting = (types: readonly IssueType[], own: boolean) => types.filter(({ subtask }) => !subtask || own);

/**
 * The type to begin with: a sub-task below a usual issue and beside a sub-task, a usual issue for one above them, such as
 * an epic; in another project the first usual type.
 */
function usualType(types: readonly IssueType[], own: boolean, source: IssueType): IssueType | undefined {
  const standard = types.filter(({ subtask }) => !subtask);
  const below = source.hierarchyLevel > 0 ? undefined : types.find(({ subtask }) => own && subtask);
  return below ?? standard.find(({ hierarchyLevel }) => hierarchyLevel === 0) ?? standard[0];
}

/** The result of converting several items. */
const issuesCreated = (made: number, count: number) =>
  made === count ? `${count} issues created.` : `${made} of ${count} issues created.`;

const titleOf = ({ rows, name }: Pick<Props, 'rows' | 'name'>) =>
  rows.length > 1 ? `Convert ${name} to issues` : `Convert ${name} to an issue`;

/** Asks for project and type, and converts items. */
export function ConvertPopup(props: Props) {
  const [label] = useState(() => titleOf(props));
  return (
    <Popover label={label} onClose={props.onClose}>
      <Cached
        without={
          <>
            <p className="check-pick-note">Loading…</p>
            <EarlyText label="Project" onEscape={() => props.onClose(true)} />
          </>
        }
      >
        <ConvertForm {...props} />
      </Cached>
    </Popover>
  );
}

/** The popup's form. The tracker's reasons for a refusal show here. */
function ConvertForm({ rows, name, actions, onClose }: Props) {
  const { issueId } = actions;
  /** The items to convert yet: a converted one is another row in the list. */
  const remainingItems = useRef(rows);
  const createdCount = useRef(0);
  const [count] = useState(rows.length);
  const several = count > 1;
  const bridge = useBridge();
  const notify = useNotify();
  const first = useRef<HTMLInputElement>(null);
  const root = useRef<HTMLDivElement>(null);
  /** The issue's own project and type. */
  const [source, setSource] = useState<{ project: Chosen; type: IssueType } | undefined>(undefined);
  const [project, setProject] = useState<Chosen | undefined>(undefined);
  const [types, setTypes] = useState<readonly IssueType[] | undefined>(undefined);
  const [typeId, setTypeId] = useState('');
  const [follows, setFollows] = useState(true);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const projectId = project?.id;
  useFirstFocus(() => first.current);
  useEffect(() => {
    const abort = new AbortController();
    readConversion(bridge, { issueId, ...(projectId !== undefined && { projectId }) }, abort.signal).then(
      found => {
        if (abort.signal.aborted) return;
        const isSameProject = found.project.id === found.source.project.id;
        const offered = fitting(found.project.issueTypes, isSameProject);
        setSource(found.source);
        setProject(found.project);
        setTypes(offered);
        setTypeId(usualType(offered, isSameProject, found.source.type)?.id ?? '');
      },
      failure => abort.signal.aborted || setError(failureMessage(failure)),
    );
    return () => abort.abort();
  }, [bridge, issueId, projectId]);

  const chosen = types?.find(type => type.id === typeId);
  /** Converts items one by one. Items left after a refusal are retried; deleted items are skipped. */
  const convertAll = async (options: ConversionOptions) => {
    for (let row = remainingItems.current[0]; row; row = remainingItems.current[0]) {
      const change = actions.convert(row, options);
      await change?.outcome;
      remainingItems.current = remainingItems.current.slice(1);
      if (change) createdCount.current++;
    }
  };
  const convert = () => {
    if (busy || !chosen || !project) return;
    const options = {
      to: chosen.subtask ? ('SUBTASK' as const) : ('LINKED_ISSUE' as const),
      issueType: chosen.id,
      replaces: true,
      ...(project.id !== source?.project.id && { project: project.id }),
      ...(follows && { follows }),
    };
    setBusy(true);
    setError('');
    void convertAll(options).then(
      () => {
        if (several) notify(issuesCreated(createdCount.current, count), 'success');
        if (root.current) onClose(true);
      },
      failure => {
        const message = failureMessage(failure);
        const reason = message === refusals.permission ? "You don't have permission to create issues there." : message;
        const text = several ? `${issuesCreated(createdCount.current, count)} ${reason}` : reason;
        if (!root.current) return notify(text, 'error');
        setBusy(false);
        setError(text);
      },
    );
  };
  return (
    <div ref={root} className="check-popover-form">
      <strong>{several ? `Convert ${name} to issues` : 'Convert to issue'}</strong>
      <ProjectField
        ref={first}
        label="Project"
        action="create"
        chosen={project ? projectWords(project) : ''}
        onChoose={next => {
          if (next.id === projectId) return;
          setProject(next);
          setTypes(undefined);
          setError('');
        }}
      />
      <Select
        label="Issue type"
        value={types ? typeId : ''}
        options={
          types?.map(({ id, name }) => ({ value: id, words: name })) ?? [
            { value: '', words: error ? 'Not available' : 'Loading…' },
          ]
        }
        disabled={!types}
        onChange={setTypeId}
      />
      <Check checked={follows} onChange={setFollows}>
        {several ? 'Complete each item when its issue is done' : 'Complete this item when the issue is done'}
      </Check>
      <p className="check-popover-error" role="alert">
        {error}
      </p>
      <div className="check-popover-buttons">
        <Button appearance="primary" busy={busy} onClick={convert}>
          Convert
        </Button>
        <Button appearance="subtle" onClick={() => onClose(true)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
