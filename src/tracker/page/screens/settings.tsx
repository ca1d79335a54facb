import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { HostModule } from '../../wire/modules.ts';
import type { HostProject } from '../../wire/site.ts';
import { useFramework } from '../app/frames.ts';
import { installedIn, useSite } from '../app/site.ts';
import { canAdminister, readCentrePanel, writeCentrePanel } from '../data/changes.ts';
import { client } from '../data/client.ts';
import type { About } from '../data/queries.ts';
import { Frame } from '../parts/frame.tsx';
import { Link } from '../parts/link.tsx';
import { Message } from '../parts/message.tsx';
import { AddonTrouble, Modules } from '../parts/modules.tsx';
import { Breadcrumbs, missingProject, useProject } from '../parts/project.tsx';
import { Answered, Missing, NotAllowed } from '../parts/state.tsx';

interface Props {
  projectKey: string;
  tab: string | undefined;
  /** The tab's add-on; the first one's unless given. */
  addonKey: string | undefined;
}

/** The settings of a project: the tracker's own, and the add-ons' tabs. */
export function Settings({ projectKey, tab, addonKey }: Props) {
  const { user } = useSite();
  const project = useProject(projectKey, 'Settings');
  const allowed = useQuery({
    queryKey: ['may-administer', user.accountId, projectKey],
    queryFn: () => canAdminister(projectKey),
    enabled: project !== undefined,
  });
  if (!project) return <Missing title={missingProject} />;
  return (
    <Answered answer={allowed} missing={missingProject}>
      {may =>
        may ? (
          <SettingsPage project={project} tab={tab} addonKey={addonKey} />
        ) : (
          <NotAllowed>Only administrators of the project can see its settings.</NotAllowed>
        )
      }
    </Answered>
  );
}

function SettingsPage({ project, tab, addonKey }: Omit<Props, 'projectKey'> & { project: HostProject }) {
  const about = useMemo(() => ({ projectKey: project.key }), [project.key]);
  const aboutTab = useMemo(() => ({ ...about, ...(addonKey && { addonKey }) }), [about, addonKey]);
  return (
    <div className="settings">
      <Breadcrumbs project={project} />
      <h1>Project settings</h1>
      <Modules place="project-admin" about={about} quiet>
        {modules => <Tabs project={project} modules={modules} tab={tab} of={addonKey} />}
      </Modules>
      {tab === undefined ? <ProjectDetails project={project} /> : <AddonTab about={aboutTab} moduleKey={tab} />}
    </div>
  );
}

function Tabs({
  project,
  modules,
  tab,
  of,
}: {
  project: HostProject;
  modules: readonly HostModule[];
  tab: string | undefined;
  of: string | undefined;
}) {
  const base = `/projects/${project.key}/settings`;
  return (
    <nav className="tabs" aria-label="Settings">
      <Link href={base} aria-current={tab === undefined ? 'page' : undefined}>
        Details
      </Link>
      {modules.map(({ key, addonKey, name }, number) => (
        <Link
          key={`${addonKey} ${key}`}
          href={`${base}/${encodeURIComponent(key)}${number > 0 ? `?addonKey=${addonKey}` : ''}`}
          aria-current={tab === key && (of ?? modules[0]?.addonKey) === addonKey ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

const AddonTab = ({ about, moduleKey }: { about: About; moduleKey: string }) => (
  <Modules place="project-admin" about={about} moduleKey={moduleKey}>
    {([module], retry) =>
      module ? <Frame module={module} place="project-admin" about={about} fill retry={retry} /> : <Missing />
    }
  </Modules>
);

function ProjectDetails({ project }: { project: HostProject }) {
  const [addon] = installedIn(useSite(), useFramework());
  return (
    <div className="settings-body">
      <dl className="fields">
        <dt>Name</dt>
        <dd>{project.name}</dd>
        <dt>Key</dt>
        <dd>{project.key}</dd>
        <dt>Kind</dt>
        <dd>{project.kind === 'service' ? 'Service project' : 'Software project'}</dd>
      </dl>
      {addon ? <CentrePanelSwitch projectKey={project.key} addonKey={addon.key} /> : <AddonTrouble />}
    </div>
  );
}

/** Sets the property by which the descriptor's conditions choose between the two panel positions. */
function CentrePanelSwitch({ projectKey, addonKey }: { projectKey: string; addonKey: string }) {
  const queryKey = ['centre-panel', projectKey, addonKey];
  const shown = useQuery({ queryKey, queryFn: () => readCentrePanel(projectKey, addonKey) });
  // Optimistic: reverts when the change is refused.
  const [wanted, setWanted] = useState<boolean | undefined>(undefined);
  const change = useMutation({
    mutationFn: (show: boolean) => writeCentrePanel(projectKey, addonKey, show),
    onSuccess: (_, show) => client.setQueryData(queryKey, show),
    onError: () => setWanted(undefined),
  });
  const turn = (show: boolean) => {
    setWanted(show);
    change.mutate(show);
  };
  const trouble = change.error ?? shown.error;
  return (
    <>
      <label className="switch">
        <input
          type="checkbox"
          checked={wanted ?? shown.data ?? false}
          disabled={shown.data === undefined || change.isPending}
          onChange={event => turn(event.target.checked)}
        />
        Show checklist in the centre panel
      </label>
      {trouble ? (
        <Message kind="error" title="We couldn't change the setting.">
          {trouble.message}
        </Message>
      ) : null}
    </>
  );
}
