import { useMemo } from 'react';
import type { HostModule } from '../../wire/modules.ts';
import { useTitle } from '../app/title.ts';
import type { About } from '../data/queries.ts';
import { Frame } from '../parts/frame.tsx';
import { Modules } from '../parts/modules.tsx';
import { Missing } from '../parts/state.tsx';

/** A full page of the add-on below the header. `?issueKey=` and `?projectKey=` give it a context. */
export function FullPage({
  place,
  moduleKey,
  about: { addonKey, issueKey, projectKey },
}: {
  place: 'general' | 'project-page';
  moduleKey: string;
  about: About;
}) {
  const about = useMemo(
    () => ({ ...(addonKey && { addonKey }), ...(issueKey && { issueKey }), ...(projectKey && { projectKey }) }),
    [addonKey, issueKey, projectKey],
  );
  return (
    <div className="full-page">
      <Modules place={place} about={about} moduleKey={moduleKey}>
        {([module], retry) =>
          module ? <Page place={place} module={module} about={about} retry={retry} /> : <Missing />
        }
      </Modules>
    </div>
  );
}

interface PageProps {
  place: 'general' | 'project-page';
  module: HostModule;
  about: About;
  retry(): void;
}

function Page({ place, module, about, retry }: PageProps) {
  useTitle(module.name);
  return (
    <>
      <h1 className="hidden">{module.name}</h1>
      <Frame module={module} place={place} about={about} fill retry={retry} />
    </>
  );
}
