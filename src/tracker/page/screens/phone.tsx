import { useId, useMemo } from 'react';
import type { ModulePlace } from '../../wire/modules.ts';
import type { HostIssue } from '../../wire/site.ts';
import { useTitle } from '../app/title.ts';
import { useIssue } from '../data/issue.ts';
import { Frame } from '../parts/frame.tsx';
import { Icon, Lozenge } from '../parts/issue.tsx';
import { Link } from '../parts/link.tsx';
import { idOf, Modules } from '../parts/modules.tsx';
import { Answered } from '../parts/state.tsx';

/** The issue at a phone's width, with the panels of both places one below the other. */
export function Phone({ issueKey }: { issueKey: string }) {
  const answer = useIssue(issueKey);
  return (
    <Answered answer={answer} missing="This issue does not exist.">
      {issue => <PhoneView issue={issue} />}
    </Answered>
  );
}

const places: readonly ModulePlace[] = ['issue-context', 'issue-content'];

function PhoneView({ issue }: { issue: HostIssue }) {
  const { key, project, summary, status, type, description } = issue;
  const about = useMemo(() => ({ issueKey: key, projectKey: project.key }), [key, project.key]);
  const heading = useId();
  useTitle(`${key} on a phone`);
  return (
    <div className="phone-stage">
      <article className="phone" aria-labelledby={heading}>
        <div className="phone-bar">
          <Link href={`/browse/${key}`} aria-label="Back to the issue">
            ‹
          </Link>
          <Icon of={type} />
          <span>{key}</span>
        </div>
        <div className="phone-body">
          <h1 id={heading}>{summary}</h1>
          <p>
            <Lozenge {...status} />
          </p>
          {description ? <p className="description">{description}</p> : null}
          {places.map((place, index) => (
            <Modules key={place} place={place} about={about} quiet={index > 0}>
              {(modules, retry) =>
                modules.map(module => (
                  <section key={idOf(module)} aria-label={module.name}>
                    <h2>{module.name}</h2>
                    <Frame module={module} place={place} about={about} retry={retry} />
                  </section>
                ))
              }
            </Modules>
          ))}
        </div>
      </article>
    </div>
  );
}
