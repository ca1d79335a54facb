import { useId, useMemo, useState } from 'react';
import type { HostModule } from '../../wire/modules.ts';
import type { HostIssue } from '../../wire/site.ts';
import { useSite } from '../app/site.ts';
import { useTitle } from '../app/title.ts';
import { useIssue } from '../data/issue.ts';
import { Details } from '../parts/details.tsx';
import { Icon, IssueLines } from '../parts/issue.tsx';
import { Link } from '../parts/link.tsx';
import { idOf, Modules } from '../parts/modules.tsx';
import { ContentPanel, ContextPanel, QuickAdd } from '../parts/panels.tsx';
import { Breadcrumbs } from '../parts/project.tsx';
import { Answered } from '../parts/state.tsx';

/** The issue view: content in the middle, context on the right, both with the add-on's places. */
export function IssueScreen({ issueKey }: { issueKey: string }) {
  const answer = useIssue(issueKey);
  return (
    <Answered answer={answer} missing="This issue does not exist.">
      {issue => <Issue key={issue.key} issue={issue} />}
    </Answered>
  );
}

function Issue({ issue }: { issue: HostIssue }) {
  const { user } = useSite();
  const { key, project, summary } = issue;
  const about = useMemo(() => ({ issueKey: key, projectKey: project.key }), [key, project.key]);
  // Content panels that the visitor asked for by their quick-add button.
  const [added, setAdded] = useState<readonly string[]>([]);
  const stands = (module: HostModule) => module.contentPresent || added.includes(idOf(module));
  const heading = useId();
  useTitle(`${key} ${summary}`);
  return (
    <div className="issue">
      <article className="issue-main" aria-labelledby={heading}>
        <IssueBreadcrumbs issue={issue} />
        <h1 id={heading}>{summary}</h1>
        <Modules place="issue-content" about={about} quiet>
          {modules => (
            <div className="quick-adds">
              {modules
                .filter(module => !stands(module))
                .map(module => (
                  <QuickAdd key={idOf(module)} module={module} add={() => setAdded([...added, idOf(module)])} />
                ))}
            </div>
          )}
        </Modules>
        <section aria-label="Description">
          <h2>Description</h2>
          {issue.description ? (
            <p className="description">{issue.description}</p>
          ) : (
            <p className="subtle">No description.</p>
          )}
        </section>
        <Modules place="issue-content" about={about} quiet>
          {(modules, retry) =>
            modules
              .filter(stands)
              .map(module => <ContentPanel key={idOf(module)} module={module} about={about} retry={retry} />)
          }
        </Modules>
        {issue.children.length > 0 && (
          <section aria-label="Child issues">
            <h2>Child issues</h2>
            <div className="boxed">
              <IssueLines issues={issue.children} user={user} label="Child issues" />
            </div>
          </section>
        )}
      </article>
      <aside className="issue-side" aria-label="Context">
        <Details issue={issue} />
        <Modules place="issue-context" about={about}>
          {(modules, retry) =>
            modules.map(module => <ContextPanel key={idOf(module)} module={module} about={about} retry={retry} />)
          }
        </Modules>
      </aside>
    </div>
  );
}

const IssueBreadcrumbs = ({ issue: { key, type, project, parentKey } }: { issue: HostIssue }) => (
  <Breadcrumbs
    project={project}
    views={
      <span className="views">
        {project.kind === 'service' && <Link href={`/portal/${key}`}>Portal</Link>}
        <Link href={`/mobile/${key}`}>Phone</Link>
      </span>
    }
  >
    {parentKey ? (
      <li>
        <Link href={`/browse/${parentKey}`}>{parentKey}</Link>
      </li>
    ) : null}
    <li>
      <Icon of={type} />
      <Link href={`/browse/${key}`} aria-current="page">
        {key}
      </Link>
    </li>
  </Breadcrumbs>
);
