import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react';
import { failureMessage } from '../../../client/errors.ts';
import { findCreatable, type IssueType, type Project, readConversion } from '../../../client/tracker/projects.ts';
import { complete, refusals } from '../../../domain/messages.ts';
import type { CheckboxRow } from '../../../text/types.ts';
import { Button } from '../../kit/button.tsx';
import { Popover } from '../../kit/popover.tsx';
import { useDebounced } from '../../kit/use-debounced.ts';
import type { ConversionOptions, RowActions } from '../../model/checklist/use-actions.ts';
import { useBridge, useNotify } from '../../shell/services/services.ts';

interface Props {
  /** The items to convert, each to an issue of its own. */
  rows: readonly CheckboxRow[];
  name: string;
  actions: RowActions;
  onClose(withFocus: boolean): void;
}

type Chosen = Pick<Project, 'id' | 'key' | 'name'>;

/** The issue types of a project that fit: sub-tasks in the issue's own project only, and not below another one. */
const fitting = (types: readonly IssueType[], own: boolean, source: IssueType | undefined) =>
  types.filter(({ subtask }) => !subtask || (own && source?.subtask === false));

const named = ({ name, key }: Chosen) => `${name} (${key})`;

/** The result of converting several items. */
const issuesCreated = (made: number, count: number) =>
  made === count ? `${count} issues created.` : `${made} of ${count} issues created.`;

/** Asks for project and type, and converts items. The tracker's reasons for a refusal show here. */
export function ConvertPopup({ rows, name, actions, onClose }: Props) {
  const { issueId } = actions;
  /** The items to convert yet: a converted one is another row in the list. */
  const left = useRef(rows);
  const made = useRef(0);
  const [count] = useState(rows.length);
  const several = count > 1;
  const bridge = useBridge();
  const notify = useNotify();
  const id = useId();
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
  useEffect(() => {
    first.current?.focus();
  }, []);
  useEffect(() => {
    const abort = new AbortController();
    readConversion(bridge, { issueId, ...(projectId !== undefined && { projectId }) }, abort.signal).then(
      found => {
        if (abort.signal.aborted) return;
        const own = found.project.id === found.source.project.id;
        const offered = fitting(found.project.issueTypes, own, found.source.type);
        const standard = offered.filter(({ subtask }) => !subtask);
        const usual = standard.find(type => own && type.id === found.source.type.id) ?? standard[0] ?? offered[0];
        setSource(found.source);
        setProject(found.project);
        setTypes(offered);
        setTypeId(usual?.id ?? '');
      },
      failure => abort.signal.aborted || setError(failureMessage(failure)),
    );
    return () => abort.abort();
  }, [bridge, issueId, projectId]);

  const chosen = types?.find(type => type.id === typeId);
  /** Converts one item after the other; those left after a refusal are retried. Deleted ones are skipped. */
  const convertAll = async (options: ConversionOptions) => {
    for (let row = left.current[0]; row; row = left.current[0]) {
      const change = actions.convert(row, options);
      await change?.outcome;
      left.current = left.current.slice(1);
      if (change) made.current++;
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
        if (several) notify(issuesCreated(made.current, count), 'success');
        if (root.current) onClose(true);
      },
      failure => {
        const message = failureMessage(failure);
        const reason = message === refusals.permission ? "You don't have permission to create issues there." : message;
        const text = several ? `${issuesCreated(made.current, count)} ${reason}` : reason;
        if (!root.current) return notify(text, 'error');
        setBusy(false);
        setError(text);
      },
    );
  };
  return (
    <Popover label={several ? `Convert ${name} to issues` : `Convert ${name} to an issue`} onClose={onClose}>
      <div ref={root} className="check-popover-form">
        <strong>{several ? `Convert ${name} to issues` : 'Convert to issue'}</strong>
        <ProjectField
          ref={first}
          chosen={project}
          onChoose={next => {
            if (next.id === projectId) return;
            setProject(next);
            setTypes(undefined);
            setError('');
          }}
        />
        <label htmlFor={`${id}-type`}>Issue type</label>
        <select
          id={`${id}-type`}
          className="check-pick-input"
          value={typeId}
          disabled={!types}
          onChange={event => setTypeId(event.currentTarget.value)}
        >
          {types ? null : <option value="">{error ? 'Not available' : 'Loading…'}</option>}
          {(types ?? []).map(type => (
            <option key={type.id} value={type.id}>
              {type.name}
            </option>
          ))}
        </select>
        <label className="check-popover-check">
          <input type="checkbox" checked={follows} onChange={event => setFollows(event.currentTarget.checked)} />
          {several ? 'Complete each item when its issue is done' : 'Complete this item when the issue is done'}
        </label>
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
    </Popover>
  );
}

interface ProjectFieldProps {
  ref: Ref<HTMLInputElement>;
  chosen: Chosen | undefined;
  onChoose(project: Chosen): void;
}

/** A combobox over the projects in which the user can create issues. */
function ProjectField({ ref, chosen, onChoose }: ProjectFieldProps) {
  const bridge = useBridge();
  const id = useId();
  /** `undefined` while the list is closed. */
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [at, setAt] = useState(0);
  const [found, setFound] = useState<{ query: string; projects: readonly Project[] | 'failed' } | undefined>(undefined);
  const open = typed !== undefined;
  const query = useDebounced(typed?.trim(), 150);
  useEffect(() => {
    if (query === undefined) return undefined;
    const abort = new AbortController();
    findCreatable(bridge, query, abort.signal).then(
      projects => abort.signal.aborted || setFound({ query, projects }),
      () => abort.signal.aborted || setFound({ query, projects: 'failed' }),
    );
    return () => abort.abort();
  }, [bridge, query]);
  const known = found && found.query === typed?.trim() ? found.projects : undefined;
  const projects = known === 'failed' ? [] : (known ?? []);
  const active = Math.min(at, projects.length - 1);
  const note = !open
    ? ''
    : known === undefined
      ? complete.searching
      : known === 'failed'
        ? "We couldn't load the projects."
        : projects.length === 0
          ? 'No projects match.'
          : '';
  const pick = (project: Project) => {
    setTyped(undefined);
    onChoose(project);
  };
  const press = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.nativeEvent.isComposing) return;
    const project = projects[active];
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!open) setTyped('');
      const step = key === 'ArrowDown' ? 1 : -1;
      if (projects.length > 0) setAt((active + step + projects.length) % projects.length);
    } else if (key === 'Enter' && open) {
      if (project) pick(project);
    } else if (key === 'Escape' && open) {
      event.stopPropagation();
      setTyped(undefined);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <label htmlFor={id}>Project</label>
      <input
        ref={ref}
        id={id}
        className="check-pick-input"
        role="combobox"
        aria-expanded={open && projects.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && projects.length > 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        placeholder={open && chosen ? named(chosen) : 'Find a project'}
        value={typed ?? (chosen ? named(chosen) : '')}
        onClick={() => open || setTyped('')}
        onChange={event => {
          setTyped(open ? event.currentTarget.value : '');
          setAt(0);
        }}
        onBlur={() => setTyped(undefined)}
        onKeyDown={press}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Projects" className="check-pick-list" hidden={!open}>
        {projects.map((project, index) => (
          <button
            key={project.id}
            id={`${id}-${index}`}
            type="button"
            role="option"
            // The input keeps the focus and references the option.
            tabIndex={-1}
            aria-selected={index === active}
            className="check-pick-option"
            onPointerMove={() => setAt(index)}
            onMouseDown={event => event.preventDefault()}
            onClick={() => pick(project)}
          >
            <span dir="auto">{named(project)}</span>
          </button>
        ))}
      </div>
      <p className="check-pick-note" role="status">
        {note}
      </p>
    </>
  );
}
