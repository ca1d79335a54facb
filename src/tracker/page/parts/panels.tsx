import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { HostModule } from '../../wire/modules.ts';
import { useSite } from '../app/site.ts';
import type { About } from '../data/queries.ts';
import { badgeQuery } from '../data/queries.ts';
import { Frame } from './frame.tsx';

interface PanelProps {
  module: HostModule;
  about: About;
  retry(): void;
}

const ModuleIcon = ({ module: { icon } }: { module: HostModule }) =>
  icon === undefined ? null : <img className="icon" src={icon} alt="" width={16} height={16} />;

/** The progress that the app set beside the name. Forge modules have none. */
function PanelBadge({ module }: { module: HostModule }) {
  const { user } = useSite();
  const issue = module.framework === 'connect' ? module.structuredContext.jira.issue : undefined;
  const { data } = useQuery({ ...badgeQuery(user.accountId, issue?.id ?? '', module), enabled: issue !== undefined });
  return data ? <span className="panel-badge">{data.value.label}</span> : null;
}

/**
 * A context panel, collapsed as the visitor left it. It stays mounted once opened, so that unsaved input is not lost.
 */
export function ContextPanel({ module, about, retry }: PanelProps) {
  const stored = `tracker.panel.${module.key}`;
  const [open, setOpen] = useState(() => localStorage.getItem(stored) !== 'closed');
  const [mounted, setMounted] = useState(open);
  const body = useId();
  const toggle = () => {
    localStorage.setItem(stored, open ? 'closed' : 'open');
    setOpen(!open);
    setMounted(true);
  };
  return (
    <section className="panel" aria-label={module.name}>
      <h2>
        <button type="button" className="panel-toggle" aria-expanded={open} aria-controls={body} onClick={toggle}>
          <ModuleIcon module={module} />
          <span className="panel-name">{module.name}</span>
          {!open && module.label && <span className="panel-label">{module.label}</span>}
          {!open && <PanelBadge module={module} />}
          <span className="chevron" aria-hidden="true" />
        </button>
      </h2>
      <div id={body} className="panel-body" data-open={open} inert={!open}>
        {mounted ? <Frame module={module} place="issue-context" about={about} retry={retry} /> : null}
      </div>
    </section>
  );
}

/** Adds a content panel to an issue without its content. */
export const QuickAdd = ({ module, add }: { module: HostModule; add(): void }) => (
  <button type="button" className="button quick-add" onClick={add}>
    <ModuleIcon module={module} />
    {module.name}
  </button>
);

/** A content panel in the middle of the issue. */
export const ContentPanel = ({ module, about, retry }: PanelProps) => (
  <section className="content-panel" aria-label={module.name}>
    <h2>
      <ModuleIcon module={module} />
      {module.name}
    </h2>
    <Frame module={module} place="issue-content" about={about} retry={retry} />
  </section>
);
