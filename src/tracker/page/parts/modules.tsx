import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { HostModule, ModulePlace } from '../../wire/modules.ts';
import { useFramework } from '../app/frames.ts';
import { installedIn, useSite } from '../app/site.ts';
import type { About } from '../data/queries.ts';
import { modulesQuery } from '../data/queries.ts';
import { Loading, Message } from './message.tsx';

/** Explains why no add-on is shown; renders nothing when one is. */
export function AddonTrouble() {
  const { addons, forge } = useSite();
  const apps = useFramework() === 'forge' ? [forge ?? []].flat() : addons;
  const [addon] = apps;
  if (!addon || apps.some(({ state }) => state === 'installed') || addon.state === 'installed') return null;
  const title = addon.state === 'failed' ? "We couldn't install the app." : "The app isn't installed.";
  return (
    <Message kind="warning" title={title}>
      {addon.reason}
    </Message>
  );
}

/** Distinguishes a module from others of a place: apps may share keys. */
export const idOf = ({ framework, addonKey, key }: HostModule): string => `${framework} ${addonKey} ${key}`;

interface ModulesProps {
  place: ModulePlace;
  about: About;
  moduleKey?: string;
  /** Renders nothing when the add-on is missing or has no module here: another part of the screen reports it. */
  quiet?: boolean;
  /** `retry` signs their addresses anew. */
  children(modules: readonly HostModule[], retry: () => void): ReactNode;
}

/** The add-on's modules of a place, or the reason why there are none. */
export function Modules({ place, about, moduleKey, quiet = false, children }: ModulesProps) {
  const site = useSite();
  const framework = useFramework();
  const { data, error, refetch } = useQuery(modulesQuery(site, framework, { place, about, key: moduleKey }));
  const retry = () => void refetch();
  if (installedIn(site, framework).length === 0) return quiet ? null : <AddonTrouble />;
  if (data) return children(data, retry);
  if (quiet) return null;
  if (!error) return <Loading />;
  return (
    <Message kind="error" title="We couldn't show the app." retry={retry}>
      {error.message}
    </Message>
  );
}
