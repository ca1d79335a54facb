import { type KeyboardEvent, type RefObject, Suspense, useId, useRef, useState } from 'react';
import type { ListedTemplate } from '../../../client/admin/templates.ts';
import { requiredComponent } from '../../kit/lazy/required-component.tsx';
import { Loading } from '../../kit/loading.tsx';
import { IssuePreview } from './issue-preview.tsx';
import { Usage } from './template-usage.tsx';

const Versions = requiredComponent('versions', () => import('./template-versions.tsx'));

interface Props {
  ref: RefObject<HTMLElement | null>;
  template: ListedTemplate;
  /** What is in the editor now. */
  text: string;
  /** Where one of the whole site is to be used. */
  projectId: string | undefined;
  /** Puts a version's text into the editor; missing for whoever may only read. */
  onRestore: ((text: string, from: string) => void) | undefined;
}

const tabs = ['Preview', 'Usage', 'Versions'] as const;
type Tab = (typeof tabs)[number];

/** What stands beside the text: what comes of it on an issue, where it is at work, what it said before. */
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys. */}
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
