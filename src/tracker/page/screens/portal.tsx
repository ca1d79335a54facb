import { useId, useMemo } from 'react';
import type { HostIssue } from '../../wire/site.ts';
import { isCustomer, useSite } from '../app/site.ts';
import { useTitle } from '../app/title.ts';
import { useIssue } from '../data/issue.ts';
import { Frame } from '../parts/frame.tsx';
import { Lozenge, Person } from '../parts/issue.tsx';
import { Link } from '../parts/link.tsx';
import { idOf, Modules } from '../parts/modules.tsx';
import { Breadcrumbs } from '../parts/project.tsx';
import { Answered, Missing } from '../parts/state.tsx';

/** A request in the customer portal, for its reporter. */
export function Portal({ issueKey }: { issueKey: string }) {
  const answer = useIssue(issueKey);
  const missing = 'This request does not exist.';
  return (
    <Answered answer={answer} missing={missing}>
      {issue => (issue.project.kind === 'service' ? <Request issue={issue} /> : <Missing title={missing} />)}
    </Answered>
  );
}

function Request({ issue }: { issue: HostIssue }) {
  const { user } = useSite();
  const { key, project, summary, status, reporter, description } = issue;
  const about = useMemo(() => ({ issueKey: key, projectKey: project.key }), [key, project.key]);
  const heading = useId();
  useTitle(`${key} ${summary}`);
  return (
    <article className="page portal" aria-labelledby={heading}>
      <Breadcrumbs
        project={project}
        start={isCustomer(user) ? 'Your requests' : 'Projects'}
        views={
          !isCustomer(user) && (
            <span className="views">
              <Link href={`/browse/${key}`}>Issue</Link>
            </span>
          )
        }
      >
        <li aria-current="page">{key}</li>
      </Breadcrumbs>
      <h1 id={heading}>{summary}</h1>
      <p className="portal-facts">
        <Lozenge {...status} />
        <Person user={reporter} />
        <span className="subtle">raised this request</span>
      </p>
      <section className="card padded" aria-label="Description">
        <h2>Description</h2>
        {description ? <p className="description">{description}</p> : <p className="subtle">No description.</p>}
      </section>
      <Modules place="portal" about={about}>
        {(modules, retry) =>
          modules.map(module => (
            <section key={idOf(module)} className="card padded" aria-label={module.name}>
              <h2>{module.name}</h2>
              <Frame module={module} place="portal" about={about} retry={retry} />
            </section>
          ))
        }
      </Modules>
    </article>
  );
}
