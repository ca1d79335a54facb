import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useFramework } from '../app/frames.ts';
import { installedIn, useSite } from '../app/site.ts';
import { useTitle } from '../app/title.ts';
import type { About } from '../data/queries.ts';
import { adminPlaces, modulesQuery } from '../data/queries.ts';
import { Frame } from '../parts/frame.tsx';
import { Loading } from '../parts/message.tsx';
import { AddonTrouble } from '../parts/modules.tsx';
import { NotAllowed } from '../parts/state.tsx';

/** An administration page of the add-on: its settings, and its first-day page. */
export function AdminPage({ moduleKey, about: { addonKey } }: { moduleKey: string; about: About }) {
  const about = useMemo(() => (addonKey === undefined ? {} : { addonKey }), [addonKey]);
  const site = useSite();
  const framework = useFramework();
  const queries = adminPlaces.map(place => modulesQuery(site, framework, { place, about, key: moduleKey }));
  const answers = useQueries({ queries });
  const answerIndex = answers.findIndex(({ data }) => data?.length);
  const module = answers[answerIndex]?.data?.[0];
  const place = adminPlaces[answerIndex];
  useTitle(module?.name ?? 'Administration');
  if (installedIn(site, framework).length === 0) {
    return (
      <div className="page">
        <AddonTrouble />
      </div>
    );
  }
  if (answers.some(({ isPending }) => isPending)) return <Loading />;
  if (!module || !place) return <NotAllowed>It doesn't exist, or only site administrators can see it.</NotAllowed>;
  return (
    <div className="full-page">
      <h1 className="hidden">{module.name}</h1>
      <Frame module={module} place={place} about={about} fill retry={() => void answers[answerIndex]?.refetch()} />
    </div>
  );
}
