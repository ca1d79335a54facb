import { useMemo } from 'react';
import { isCustomer, useSite } from '../app/site.ts';
import { useTitle } from '../app/title.ts';
import { IssueLines } from '../parts/issue.tsx';
import { Link } from '../parts/link.tsx';
import { AddonTrouble, idOf, Modules } from '../parts/modules.tsx';

/** The visitor's projects and issues. */
export function Home() {
  const { projects, user } = useSite();
  const title = isCustomer(user) ? 'Your requests' : 'Projects';
  useTitle(title);
  return (
    <div className="page">
      <h1>{title}</h1>
      <AddonTrouble />
      {projects.length === 0 && (
        <p className="subtle">This user has no projects or requests. Switch to another user.</p>
      )}
      {projects.map(project => (
        <section key={project.key} className="card" aria-label={project.name}>
          <div className="card-head">
            <h2>{project.name}</h2>
            <span className="subtle">
              {project.key} · {project.kind === 'service' ? 'Service project' : 'Software project'}
            </span>
            {!isCustomer(user) && <ProjectPages projectKey={project.key} />}
            {!isCustomer(user) && (
              <>
                <Link href={`/projects/${project.key}/board`}>Board</Link>
                <Link href={`/projects/${project.key}/issues`}>Issues</Link>
              </>
            )}
            {!isCustomer(user) && (
              <Link className="card-action" href={`/projects/${project.key}/workflow`}>
                Workflow
              </Link>
            )}
            {!isCustomer(user) && (
              <Link className="card-action" href={`/projects/${project.key}/settings`}>
                Settings
              </Link>
            )}
          </div>
          <IssueLines issues={project.issues} user={user} label={`Issues of ${project.name}`} />
        </section>
      ))}
    </div>
  );
}

/** The add-ons' pages of a project. */
function ProjectPages({ projectKey }: { projectKey: string }) {
  const about = useMemo(() => ({ projectKey }), [projectKey]);
  return (
    <Modules place="project-page" about={about} quiet>
      {modules =>
        modules.map(module => (
          <Link
            key={idOf(module)}
            href={`/projects/${projectKey}/apps/${encodeURIComponent(module.key)}?addonKey=${module.addonKey}`}
          >
            {module.name}
          </Link>
        ))
      }
    </Modules>
  );
}
