import CloseIcon from '@atlaskit/icon/core/cross';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ignoreAnswer } from '../../client/errors.ts';
import {
  getProject,
  type Project,
  type ProjectAction,
  projectWords,
  searchProjects,
} from '../../client/tracker/projects.ts';
import { Combobox, type ComboboxProps } from '../kit/form/combobox.tsx';
import { RowButton } from '../kit/sortable/sortable.tsx';
import { useDebounced } from '../kit/use-debounced.ts';
import { useBridge } from '../shell/services/services.ts';

const SEARCH_DEBOUNCE_MS = 200;
const PROJECTS_PER_PAGE = 50;

/**
 * The projects whose name or key matches, page by page: all that the user sees, or only projects in which the user has
 * a permission.
 */
function useProjectSearch(query: string, action: ProjectAction | undefined) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: ['project search', query, action],
    initialPageParam: 1,
    queryFn: ({ pageParam: page }) =>
      searchProjects(bridge, { ...(query && { query }), ...(action && { action }), page, pageSize: PROJECTS_PER_PAGE }),
    getNextPageParam: ({ total }, _pages, page) => (page * PROJECTS_PER_PAGE < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { silent: true },
  });
}

/** Up to this number projects are loaded one by one; above it, pages of all projects. */
const MAX_SINGLE_READS = 8;
const MAX_PAGES = 40;

/** Project names by id, without deleted and hidden projects. */
export function useProjectNames(ids: readonly string[]) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['project names', ids],
    queryFn: async (): Promise<ReadonlyMap<string, string>> => {
      const names = (projects: readonly Project[]) => new Map(projects.map(({ id, name }) => [id, name]));
      if (ids.length <= MAX_SINGLE_READS) {
        const loadedProjects = await Promise.all(ids.map(id => getProject(bridge, id, []).catch(ignoreAnswer)));
        return names(loadedProjects.filter(project => project !== undefined));
      }
      const allProjects: Project[] = [];
      for (let page = 1, total = 1; (page - 1) * PROJECTS_PER_PAGE < total && page <= MAX_PAGES; page += 1) {
        const projectPage = await searchProjects(bridge, { page, pageSize: PROJECTS_PER_PAGE });
        allProjects.push(...projectPage.projects);
        total = projectPage.total;
      }
      return names(allProjects);
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  });
}

/** A project's name, by what `useProjectNames` has read: an ellipsis while unread, `other` if the user cannot see it. */
export const projectName = (
  names: ReadonlyMap<string, string> | undefined,
  id: string,
  other: string = 'another project',
): string => (names ? (names.get(id) ?? other) : '…');

interface Props
  extends Pick<ComboboxProps, 'ref' | 'label' | 'chosen' | 'placeholder' | 'hint' | 'error' | 'disabled'> {
  /** Only projects in which the user can do that are offered. */
  action?: ProjectAction;
  /** Ids of projects that are not offered. */
  without?: readonly string[];
  onChoose(project: Project): void;
}

/** A field to search a project by name or key. */
export function ProjectField({ without = [], action, onChoose, ...field }: Props) {
  const [typed, setTyped] = useState('');
  const query = useDebounced(typed.trim(), SEARCH_DEBOUNCE_MS);
  const { data, isFetching, isError, isPlaceholderData, hasNextPage, fetchNextPage } = useProjectSearch(query, action);
  const foundProjects = data?.pages.flatMap(({ projects }) => projects) ?? [];
  const projects = foundProjects.filter(({ id }) => !without.includes(id));
  const isSearching = isFetching || query !== typed.trim();
  const note = isError
    ? "We couldn't load projects. Type again to retry."
    : isSearching && (projects.length === 0 || isPlaceholderData)
      ? 'Searching…'
      : projects.length === 0
        ? `No project matches${query && ` “${query}”`}.`
        : '';
  return (
    <Combobox
      placeholder="Find a project"
      {...field}
      options={projects.map(project => ({ value: project.id, words: projectWords(project) }))}
      note={note}
      onMore={hasNextPage && !isFetching ? () => void fetchNextPage() : undefined}
      onType={setTyped}
      onChoose={({ value }) => {
        const project = projects.find(({ id }) => id === value);
        if (project) onChoose(project);
      }}
    />
  );
}

interface ProjectsProps {
  chosen: readonly string[];
  error: string | undefined;
  onChange(ids: string[]): void;
}

/** A field for several projects, all if none is chosen: the chosen ones, and a field to find more. */
export function ProjectsField({ chosen, error, onChange }: ProjectsProps) {
  /** The names of the projects that the user found. */
  const [found, setFound] = useState<ReadonlyMap<string, string>>(new Map());
  const { data: names, isPlaceholderData } = useProjectNames(chosen.filter(id => !found.has(id)).toSorted());
  const box = useRef<HTMLFieldSetElement>(null);
  const nameOf = (id: string) =>
    found.get(id) ?? projectName(isPlaceholderData ? undefined : names, id, 'Another project');
  return (
    <fieldset ref={box} className="form-field">
      <legend className="form-label">Projects</legend>
      {chosen.length === 0 ? (
        <p className="form-hint">All projects</p>
      ) : (
        <ul className="form-projects">
          {chosen.map(id => (
            <li key={id}>
              <span dir="auto">{nameOf(id)}</span>
              <RowButton
                icon={CloseIcon}
                label={`Remove ${nameOf(id)}`}
                onClick={() => {
                  onChange(chosen.filter(each => each !== id));
                  box.current?.querySelector('input')?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <ProjectField
        label="Add a project"
        chosen=""
        error={error}
        without={chosen}
        onChoose={project => {
          setFound(new Map([...found, [project.id, project.name]]));
          onChange([...chosen, project.id]);
        }}
      />
    </fieldset>
  );
}
