import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { HostIssueLine, HostProject } from '../../wire/site.ts';
import { stateQuery } from '../data/queries.ts';
import { Icon, Lozenge } from '../parts/issue.tsx';
import { Link } from '../parts/link.tsx';
import { Breadcrumbs, missingProject, useProject } from '../parts/project.tsx';
import { Missing } from '../parts/state.tsx';

const REFETCH_INTERVAL_MS = 3_000;

interface PageProps {
  projectKey: string;
  title: string;
  children(project: HostProject): ReactNode;
}

/** A page about the issues of a project. */
function ProjectPage({ projectKey, title, children }: PageProps) {
  const { data } = useQuery({ ...stateQuery, refetchInterval: REFETCH_INTERVAL_MS });
  const project = useProject(projectKey, title, data);
  if (!project) return <Missing title={missingProject} />;
  return (
    <div className="page wide">
      <Breadcrumbs project={project} />
      <h1>{title}</h1>
      {children(project)}
    </div>
  );
}

/** The colours of status categories, from open to done. */
const colors = ['blue-gray', 'yellow', 'green'];

/** The names of the issues' statuses, from open to done. */
const columnsOf = (issues: readonly HostIssueLine[]): string[] => [
  ...new Set(
    issues
      .map(({ status }) => status)
      .toSorted((a, b) => colors.indexOf(a.color) - colors.indexOf(b.color))
      .map(({ name }) => name),
  ),
];

/** The issues of a project by status, with the apps' fields on the cards. */
export const Board = ({ projectKey }: { projectKey: string }) => (
  <ProjectPage projectKey={projectKey} title="Board">
    {({ issues }) => (
      <div className="board">
        {columnsOf(issues).map(name => (
          <section key={name} className="column" aria-label={name}>
            <h2>{name}</h2>
            <ul>
              {issues
                .filter(({ status }) => status.name === name)
                .map(issue => (
                  <li key={issue.key}>
                    <Card issue={issue} />
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    )}
  </ProjectPage>
);

const Card = ({ issue: { key, summary, type, fields } }: { issue: HostIssueLine }) => (
  <article className="board-card" aria-label={key}>
    <Link href={`/browse/${key}`}>{summary}</Link>
    {fields.length > 0 ? (
      <dl className="card-fields">
        {fields.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    ) : null}
    <span className="subtle">
      <Icon of={type} /> {key}
    </span>
  </article>
);

/** The issues of a project as a table, with a column for each of the apps' fields. */
export const IssueTable = ({ projectKey }: { projectKey: string }) => (
  <ProjectPage projectKey={projectKey} title="Issues">
    {({ issues }) => {
      const columns = [...new Set(issues.flatMap(({ fields }) => fields.map(({ name }) => name)))];
      return (
        <div className="table-holder">
          <table className="issue-table">
            <thead>
              <tr>
                {['Key', 'Summary', 'Status', ...columns].map(name => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {issues.map(({ key, summary, status, fields }) => (
                <tr key={key}>
                  <td>
                    <Link href={`/browse/${key}`}>{key}</Link>
                  </td>
                  <td>{summary}</td>
                  <td>
                    <Lozenge {...status} />
                  </td>
                  {columns.map(name => (
                    <td key={name}>{fields.find(field => field.name === name)?.value ?? ''}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    }}
  </ProjectPage>
);
