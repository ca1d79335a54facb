import { useQueries } from '@tanstack/react-query';
import { useSite } from '../app/site.ts';
import { useTitle } from '../app/title.ts';
import { adminPlaces, modulesQuery } from '../data/queries.ts';
import { Link } from '../parts/link.tsx';
import { AddonTrouble } from '../parts/modules.tsx';

/** What the add-on brings beside its panels. */
export function Apps() {
  const site = useSite();
  useTitle('Apps');
  const [general, ...admin] = useQueries({
    queries: (['general', ...adminPlaces] as const).map(place => modulesQuery(site, place, {})),
  });
  const pages = [
    { title: 'Pages', base: '/plugins', modules: general?.data ?? [] },
    { title: 'Administration', base: '/admin', modules: admin.flatMap(({ data }) => data ?? []) },
  ].filter(({ modules }) => modules.length);
  return (
    <div className="page">
      <h1>Apps</h1>
      <AddonTrouble />
      {site.addon.state === 'installed' && (
        <section className="card" aria-label={site.addon.name}>
          <div className="card-head">
            <h2>{site.addon.name}</h2>
            <span className="subtle">{site.addon.key}</span>
            <span className="lozenge card-action" data-color="green">
              Installed
            </span>
          </div>
          {pages.map(({ title, base, modules }) => (
            <nav key={title} className="app-pages" aria-label={title}>
              <h3>{title}</h3>
              <ul>
                {modules.map(({ key, name }) => (
                  <li key={key}>
                    <Link href={`${base}/${encodeURIComponent(key)}`}>{name}</Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </section>
      )}
    </div>
  );
}
