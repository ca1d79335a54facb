import Button from '@atlaskit/button/new';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Applied, applyTemplate } from '../../../client/hierarchy/apply.ts';
import { countsOf, type HierarchyView } from '../../../client/hierarchy/hierarchy.ts';
import type { TreeIssue } from '../../../client/hierarchy/issue.ts';
import { branchOf } from '../../../client/hierarchy/tree.ts';
import { managing, whole, hierarchy as words } from '../../../domain/messages.ts';
import { Loading } from '../../kit/content-state.tsx';
import { Check, FormButtons, Select } from '../../kit/form/form.tsx';
import { QueryError } from '../../kit/query-result.tsx';
import { useLayer } from '../../kit/use-layer.ts';
import { itemWords } from '../../model/templates/templates.ts';
import { useOfferedTemplates, useStarters } from '../../model/templates/use-offered-templates.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import { useUnsaved } from '../../shell/navigation/navigation.ts';
import { useGraphql } from '../../shell/services/services.ts';
import './hierarchy.css';

/** Which issues of a branch get a template. */
export interface TargetChoice {
  /** Includes the topmost issue. */
  itself: boolean;
  /** Only issues without items. */
  onlyEmpty: boolean;
  /** The template's project; `undefined` for a site template. */
  projectId: string | undefined;
}

/** The issues to apply a template to, and the numbers of skipped ones by reason. */
export interface Targets {
  issues: readonly TreeIssue[];
  filled: number;
  forbidden: number;
  elsewhere: number;
  /** Not loaded yet. */
  unknown: number;
}

/** The targets of a template on a branch, from the data loaded so far. */
export function targetsOf(view: HierarchyView, top: TreeIssue, choice: TargetChoice): Targets {
  const { tree, summaries } = view;
  const leftOut = { filled: 0, forbidden: 0, elsewhere: 0, unknown: 0 };
  const ids = tree ? branchOf(tree, top.id) : [];
  const issues = (choice.itself ? ids : ids.slice(1)).flatMap(id => {
    const issue = tree?.issues.get(id);
    const summary = summaries.get(id);
    if (!issue) return [];
    if (summary === undefined) leftOut.unknown += 1;
    else if (!summary?.permissions.canImportTemplate) leftOut.forbidden += 1;
    else if (choice.projectId !== undefined && choice.projectId !== issue.projectId) leftOut.elsewhere += 1;
    else if (choice.onlyEmpty && (countsOf(view, id)?.total ?? 0) > 0) leftOut.filled += 1;
    else return [issue];
    return [];
  });
  return { issues, ...leftOut };
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** The targets in words. */
export function targetWords({ issues, filled, forbidden, elsewhere, unknown }: Targets): string {
  const leftOutWords = [
    ...(filled > 0 ? [`${count(filled, 'has', 'have')} items already`] : []),
    ...(forbidden > 0 ? [`${forbidden} you don't have permission to change`] : []),
    ...(elsewhere > 0 ? [`${count(elsewhere, 'is', 'are')} in another project`] : []),
    ...(unknown > 0 ? [`${count(unknown, 'is', 'are')} not loaded yet`] : []),
  ];
  const goes =
    issues.length === 0 ? 'No issue gets the template' : `${count(issues.length, 'issue gets', 'issues get')} it`;
  return leftOutWords.length > 0 ? `${goes}. Left out: ${leftOutWords.join(', ')}.` : `${goes}.`;
}

interface Props {
  /** The branch's topmost issue. */
  issue: TreeIssue;
  view: HierarchyView;
  /** Called with whether it is running and must stay mounted. */
  onBusy(busy: boolean): void;
  /** Called with the issues whose checklists changed. */
  onDone(ids: readonly string[]): void;
  onClose(): void;
}

/** A started run and its results so far. */
interface Run {
  templateId: string;
  issues: readonly TreeIssue[];
  clientIds: ReadonlyMap<string, string>;
  results: ReadonlyMap<string, Applied>;
  running: boolean;
}

/** Applies a template to a branch: form, progress and failures. */
export default function ApplyTemplate({ issue, view, onBusy, onDone, onClose }: Props) {
  const graphql = useGraphql();
  const { offered: own, more, loading, failed, error, retry, retrying } = useOfferedTemplates(issue.projectId, '');
  const starters = useStarters('');
  const offered = own && [...own, ...starters];
  const [chosen, setChosen] = useState('');
  const [itself, setItself] = useState(true);
  const [onlyEmpty, setOnlyEmpty] = useState(true);
  const [run, setRun] = useState<Run | undefined>(undefined);
  const stop = useRef<AbortController>(undefined);
  const box = useRef<HTMLElement>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const running = run?.running ?? false;
  useUnsaved(running);
  useLayer(!running, onClose, true);
  // Before the paint: a click on the next issue must find it idle.
  useLayoutEffect(() => {
    onBusy(running);
    return () => onBusy(false);
  }, [running, onBusy]);
  const phase = run === undefined ? 'form' : running ? 'running' : 'done';
  const focused = useRef<typeof phase>(undefined);
  useEffect(() => {
    // The pressed button is unmounted with its phase. A focus elsewhere is left alone.
    const lost = document.activeElement === document.body;
    const before: typeof phase | undefined = focused.current;
    if (before === undefined || (before !== phase && lost)) box.current?.focus();
    focused.current = phase;
  }, [phase]);

  const template = offered?.find(({ id }) => id === chosen) ?? offered?.[0];
  const projectId = template && !template.global ? issue.projectId : undefined;
  const targets = useMemo(
    () => targetsOf(view, issue, { itself, onlyEmpty, projectId }),
    [view, issue, itself, onlyEmpty, projectId],
  );

  const start = (from: Omit<Run, 'running'>) => {
    const controller = new AbortController();
    stop.current = controller;
    setRun({ ...from, running: true });
    const remainingIds = from.issues.filter(({ id }) => !from.results.has(id)).map(({ id }) => id);
    const done: string[] = [];
    void applyTemplate(graphql, {
      ...{ templateId: from.templateId, issueIds: remainingIds, clientIds: from.clientIds, onlyEmpty },
      signal: controller.signal,
      onResult: (id, result) => {
        if (result.kind === 'done') done.push(id);
        setRun(now => now && { ...now, results: new Map(now.results).set(id, result) });
      },
    }).then(() => {
      if (done.length > 0) onDone(done);
      setRun(now => now && { ...now, running: false });
    });
  };
  const begin = () => {
    if (!template) return;
    const { issues } = targets;
    const clientIds = new Map(issues.map(({ id }) => [id, crypto.randomUUID()]));
    start({ templateId: template.id, issues, clientIds, results: new Map() });
  };

  return (
    <section ref={box} className="tree-apply-box" aria-label={`Apply a template below ${issue.key}`} tabIndex={-1}>
      <h2>
        Apply a template to {issue.key} <span dir="auto">{issue.name}</span>
      </h2>
      {run ? (
        <Progress
          run={run}
          onStop={() => stop.current?.abort()}
          onAgain={() =>
            start({ ...run, results: new Map([...run.results].filter(([, { kind }]) => kind !== 'failed')) })
          }
          onClose={onClose}
        />
      ) : loading ? (
        <Loading size="small" />
      ) : failed && !offered ? (
        <QueryError title={managing.getTemplates} error={error} onRetry={retry} retrying={retrying} />
      ) : !template || !offered ? (
        <>
          <p>No templates are available here.</p>
          <div className="form-buttons">
            <Button onClick={onClose}>Close</Button>
          </div>
        </>
      ) : (
        <>
          <Select
            label="Template"
            value={template.id}
            options={offered.map(({ id, name, items }) => ({
              value: id,
              words: `${name} (${starters.some(each => each.id === id) ? 'starter, ' : ''}${itemWords(items)})`,
            }))}
            onChange={setChosen}
            hint={more ? 'Only the first 100 templates are shown.' : undefined}
          />
          <Check checked={itself} onChange={setItself}>
            Include {issue.key}
          </Check>
          <Check checked={onlyEmpty} onChange={setOnlyEmpty}>
            Only issues without items
          </Check>
          <p role="status">{targetWords(targets)}</p>
          <FormButtons
            save={targets.issues.length === 1 ? 'Apply to 1 issue' : `Apply to ${targets.issues.length} issues`}
            disabled={targets.issues.length === 0}
            onSave={begin}
            onCancel={onClose}
          />
        </>
      )}
    </section>
  );
}

interface ProgressProps {
  run: Run;
  onStop(): void;
  onAgain(): void;
  onClose(): void;
}

/** The run's progress and failed issues. */
function Progress({ run: { issues, results, running }, onStop, onAgain, onClose }: ProgressProps) {
  const allResults = [...results.values()];
  const done = allResults.filter(({ kind }) => kind === 'done').length;
  const skipped = allResults.filter(({ kind }) => kind === 'skipped').length;
  const remainingCount = issues.length - results.size;
  const failed = issues.flatMap(({ id, key, link }) => {
    const result = results.get(id);
    return result?.kind === 'failed' ? { key, link, message: result.message } : [];
  });
  return (
    <>
      {running ? (
        <>
          <progress aria-label="Issues processed" max={issues.length} value={results.size} />
          <p role="status">
            {results.size} of {issues.length} issues. {whole.keepOpen}
          </p>
        </>
      ) : (
        <p role="status">
          {words.applied(done)}
          {skipped > 0 ? ` ${skipped} already had items.` : ''}
          {failed.length > 0 ? ` ${failed.length} failed.` : ''}
          {remainingCount > 0 ? ` Stopped before ${remainingCount} more.` : ''}
        </p>
      )}
      {failed.length > 0 ? (
        <ul className="tree-failed">
          {failed.map(({ key, link, message }) => (
            <li key={key}>
              <TrackerLink path={link}>{key}</TrackerLink> {message}
            </li>
          ))}
        </ul>
      ) : null}
      <div className="form-buttons">
        {running ? (
          <Button onClick={onStop}>Stop</Button>
        ) : (
          <>
            {failed.length + remainingCount > 0 ? (
              <Button appearance="primary" onClick={onAgain}>
                Retry the rest
              </Button>
            ) : null}
            <Button appearance={failed.length + remainingCount > 0 ? 'subtle' : 'primary'} onClick={onClose}>
              Close
            </Button>
          </>
        )}
      </div>
    </>
  );
}
