import { type FormEvent, type KeyboardEvent, type RefObject, Suspense, useId, useMemo, useRef, useState } from 'react';
import * as v from 'valibot';
import type { ListedTemplate } from '../../../../client/admin/templates.ts';
import { failureMessage, TrackerError } from '../../../../client/errors.ts';
import { edition } from '../../../../domain/edition.ts';
import { limitReached } from '../../../../domain/messages.ts';
import { issuePath } from '../../../../domain/pages.ts';
import { applyChanges } from '../../../../text/document.ts';
import { applyTemplate } from '../../../../text/edits.ts';
import { progressOf } from '../../../../text/progress.ts';
import { readChecklist } from '../../../../text/read.ts';
import { TemplatePreview } from '../../../checklist/row/static-row.tsx';
import { Loading, requiredComponent } from '../../../kit/content-state.tsx';
import { TextInput } from '../../../kit/form/form.tsx';
import { QueryResult } from '../../../kit/query-result.tsx';
import { failureText } from '../../../model/checklist/use-checklist.ts';
import { usePreference } from '../../../model/preferences.ts';
import { itemWords } from '../../../model/templates/templates.ts';
import { useStatusRegistry } from '../../../model/use-statuses.ts';
import { TrackerLink } from '../../../shell/navigation/links.tsx';
import { useGo } from '../../../shell/navigation/navigation.ts';
import { useHostContext } from '../../../shell/services/services.ts';
import { ruleWords, useRuleNames } from '../rules/use-rules.ts';
import { useIssue, useUsage } from './use-template-views.ts';

const keyShape = v.string();

/** The tracker's own error, with 403 and 404 as not found; else the server's error message. */
const errorText = (error: Error): string =>
  error instanceof TrackerError ? failureText(error) : failureMessage(error);

/** A preview of the template, alone or applied to an issue's checklist. Writes nothing. */
function IssuePreview({ text }: { text: string }) {
  const { issueKey = '' } = useHostContext();
  const [chosen, choose] = usePreference('template preview issue', keyShape, issueKey);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const issue = useIssue(chosen);
  const value = typed ?? chosen;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = value.trim().toUpperCase();
    choose(key);
    setTyped(undefined);
    // Submitting the same key retries a failed load.
    if (key === chosen && issue.isError) void issue.refetch();
  };
  return (
    <>
      <form className="smart-issue" noValidate onSubmit={submit}>
        <TextInput
          label="On issue"
          value={value}
          error={chosen !== '' && typed === undefined && issue.error ? errorText(issue.error) : undefined}
          hint={value === '' ? 'Issue key, for example, ABC-1' : undefined}
          onChange={setTyped}
        />
        <button type="submit" className="smart-show">
          Show
        </button>
      </form>
      {chosen === '' || issue.isError ? (
        <TemplateOnly text={text} />
      ) : issue.data ? (
        <AppliedTemplate issue={issue.data} text={text} />
      ) : (
        <Loading size="small" />
      )}
    </>
  );
}

const nothing = <p className="templates-none">Nothing to preview yet.</p>;

const TemplateOnly = ({ text }: { text: string }) => (text.trim() === '' ? nothing : <TemplatePreview text={text} />);

/** The template appended to the issue's checklist. */
function AppliedTemplate({
  issue: { summary, text: existing },
  text,
}: {
  issue: NonNullable<ReturnType<typeof useIssue>['data']>;
  text: string;
}) {
  const statuses = useStatusRegistry();
  const { combined, before, added } = useMemo(() => {
    const checklist = readChecklist(existing, statuses);
    return {
      combined: applyChanges(existing, applyTemplate(checklist, text, { replace: false })),
      before: checklist.rows.length,
      added: progressOf(readChecklist(text, statuses).rows).total,
    };
  }, [existing, text, statuses]);
  const has = progressOf(readChecklist(existing, statuses).rows).total;
  const tooMany = added > 0 && has + added > edition.limits.itemsPerChecklist;
  return (
    <>
      <p className="smart-summary">
        <TrackerLink path={issuePath(summary.key)}>{summary.key}</TrackerLink> <span dir="auto">{summary.name}</span>
      </p>
      <p className="form-hint">
        {before === 0
          ? 'This issue has no checklist yet.'
          : `It has ${itemWords(has)} now; ${itemWords(added)} would be added.`}
      </p>
      {tooMany ? (
        <p className="templates-full" role="status">
          {limitReached.items}
        </p>
      ) : null}
      {combined.trim() === '' ? (
        nothing
      ) : (
        <TemplatePreview
          text={combined}
          above={before > 0 ? { index: before, words: 'From this template' } : undefined}
        />
      )}
    </>
  );
}

interface TemplateUsageProps {
  template: ListedTemplate;
  projectId: string | undefined;
}

const noRules: readonly never[] = [];

/** How many issues and which rules use a template. */
function Usage({ template, projectId }: TemplateUsageProps) {
  const usage = useUsage(template.id, projectId);
  const knownNames = useRuleNames(template.projectId ?? projectId, usage.data?.rules ?? noRules);
  const go = useGo();
  return (
    <QueryResult of={usage}>
      {({ issueCount, rules }) => (
        <>
          <p className="smart-figure">
            {issueCount === 0 ? (
              'Not used on any issue yet.'
            ) : (
              <>
                Used on <strong>{issueCount.toLocaleString('en')}</strong> {issueCount === 1 ? 'issue' : 'issues'}.
              </>
            )}
          </p>
          {issueCount > 0 ? (
            <p className="form-hint">
              Counts issues with this template whose checklist wasn't cleared or replaced since. Changes apply when the
              template is added next. Existing checklists stay as they are.
            </p>
          ) : null}
          {rules === null ? null : (
            <section aria-label="Rules that add it" className="smart-rules">
              <h2>Rules that add it</h2>
              {rules.length === 0 ? (
                <p className="templates-none">No rule adds it automatically.</p>
              ) : (
                <ul>
                  {rules.map(rule => (
                    <li key={rule.id}>
                      Added {ruleWords(rule, knownNames)}.{rule.enabled ? null : <span className="smart-off">Off</span>}
                    </li>
                  ))}
                </ul>
              )}
              <button type="button" className="templates-link" onClick={() => go('/templates/assignments')}>
                Rules
              </button>
            </section>
          )}
        </>
      )}
    </QueryResult>
  );
}

const Versions = requiredComponent('versions', () => import('./template-versions.tsx'));

interface Props {
  ref: RefObject<HTMLElement | null>;
  template: ListedTemplate;
  /** The editor's current text. */
  text: string;
  /** The project in which a site template is to be used. */
  projectId: string | undefined;
  /** Puts a version's text into the editor; missing without write permission. */
  onRestore: ((text: string, from: string) => void) | undefined;
}

const tabs = ['Preview', 'Usage', 'Versions'] as const;
type Tab = (typeof tabs)[number];

/** The panel next to the text: preview, usage and versions. */
export function Side({ ref, template, text, projectId, onRestore }: Props) {
  const [tab, setTab] = useState<Tab>('Preview');
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] ?? tab;
    setTab(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <aside ref={ref} className="smart-side" aria-label="About this template">
      <div ref={list} role="tablist" aria-label="About this template" className="smart-tabs" onKeyDown={onKeyDown}>
        {tabs.map(each => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`${id}-${each}`}
            data-tab={each}
            aria-selected={each === tab}
            aria-controls={`${id}-panel`}
            tabIndex={each === tab ? 0 : -1}
            onClick={() => setTab(each)}
          >
            {each}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard. */}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`} className="smart-panel" tabIndex={0}>
        {tab === 'Preview' ? (
          <IssuePreview text={text} />
        ) : tab === 'Usage' ? (
          <Usage template={template} projectId={projectId} />
        ) : (
          <Suspense fallback={<Loading size="small" />}>
            <Versions template={template} projectId={projectId} onRestore={onRestore} />
          </Suspense>
        )}
      </div>
    </aside>
  );
}
