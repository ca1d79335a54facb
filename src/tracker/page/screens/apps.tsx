import { useQueries } from '@tanstack/react-query';
import { useFramework } from '../app/frames.ts';
import { installedIn, useSite } from '../app/site.ts';
import { useTitle } from '../app/title.ts';
import { adminPlaces, modulesQuery } from '../data/queries.ts';
import { Link } from '../parts/link.tsx';
import { AddonTrouble } from '../parts/modules.tsx';

/** Modules of the add-ons besides their panels. */
export function Apps() {
  const site = useSite();
  const framework = useFramework();
  useTitle('Apps');
  const [general, ...admin] = useQueries({
    queries: (['general', ...adminPlaces] as const).map(place => modulesQuery(site, framework, { place, about: {} })),
  });
  const pages = [
    { title: 'Pages', base: '/plugins', modules: general?.data ?? [] },
    { title: 'Administration', base: '/admin', modules: admin.flatMap(({ data }) => data ?? []) },
  ];
  const pagesOf = (addonKey: string) =>
    pages
      .map(({ modules, ...page }) => ({ ...page, modules: modules.filter(module => module.addonKey === addonKey) }))
      .filter(({ modules }) => modules.length > 0);
  return (
    <div className="page">
      <h1>Apps</h1>
      <AddonTrouble />
      {installedIn(site, framework).map((addon, number) => (
        <section key={addon.key} className="card" aria-label={addon.name}>
          <div className="card-head">
            <h2>{addon.name}</h2>
            <span className="subtle">{addon.key}</span>
            <span className="lozenge card-action" data-color="green">
              Installed
            </span>
          </div>
          {pagesOf(addon.key).map(({ title, base, modules }) => (
            <nav key={title} className="app-pages" aria-label={title}>
              <h3>{title}</h3>
              <ul>
                {modules.map(({ key, name }) => (
                  <li key={key}>
                    <Link href={`${base}/${encodeURIComponent(key)}${number > 0 ? `?addonKey=${addon.key}` : ''}`}>
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </section>
      ))}
    </div>
  );
}
