import { type KeyboardEvent, type RefObject, Suspense, useId, useRef, useState } from 'react';
import type { ListedTemplate } from '../../../client/admin/templates.ts';
import { Loading, QueryResult } from '../../kit/content-state.tsx';
import { requiredComponent } from '../../kit/lazy/required-component.tsx';
import { useGo } from '../../shell/navigation/navigation.ts';
import { ruleWords, useKnown } from '../assignments/use-assignments.ts';
import { IssuePreview } from './issue-preview.tsx';
import { useUsage } from './use-template-views.ts';

interface TemplateUsageProps {
  template: ListedTemplate;
  projectId: string | undefined;
}

const noRules: readonly never[] = [];

/** How many issues and which rules use a template. */
export function Usage({ template, projectId }: TemplateUsageProps) {
  const usage = useUsage(template.id, projectId);
  const known = useKnown(template.projectId ?? projectId, usage.data?.rules ?? noRules);
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
                      Added {ruleWords(rule, known)}.{rule.enabled ? null : <span className="smart-off">Off</span>}
                    </li>
                  ))}
                </ul>
              )}
              <button type="button" className="templates-link" onClick={() => go('/templates/assignments')}>
                Template assignments
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
