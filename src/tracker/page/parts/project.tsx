import type { ReactNode } from 'react';
import type { HostProject, HostState } from '../../wire/site.ts';
import { useSite } from '../app/site.ts';
import { useTitle } from '../app/title.ts';
import { Link } from './link.tsx';

/**
 * The project of a screen, which names the document after itself: `Board of Web`. `undefined` if there is none; `latest`
 * is a newer state than the site's.
 */
export function useProject(projectKey: string, title: string, latest?: HostState): HostProject | undefined {
  const site = useSite();
  const isIt = ({ key }: HostProject) => key === projectKey;
  const project = latest?.projects.find(isIt) ?? site.projects.find(isIt);
  useTitle(`${title} of ${project?.name ?? projectKey}`);
  return project;
}

/** Instead of a screen of a project that does not exist. */
export const missingProject = 'This project does not exist.';

interface BreadcrumbsProps {
  project: Pick<HostProject, 'name'>;
  /** The words of the link to the first page. */
  start?: string;
  /** The steps below the project. */
  children?: ReactNode;
  /** Beside the steps: other views of the same. */
  views?: ReactNode;
}

/** The way to a screen of a project. */
export const Breadcrumbs = ({ project, start = 'Projects', children, views }: BreadcrumbsProps) => (
  <nav className="breadcrumbs" aria-label="Breadcrumbs">
    <ol>
      <li>
        <Link href="/">{start}</Link>
      </li>
      <li>{project.name}</li>
      {children}
    </ol>
    {views}
  </nav>
);
