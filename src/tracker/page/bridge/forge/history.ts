import type { ForgeModule, ModulePlace } from '../../../wire/modules.ts';
import { go } from '../../app/address.ts';

/** The path of the pages of the app's general module. Each route is an address of this page. */
const MODULE_PAGES_PATH = '/plugins';

/** Full pages have a history, panels have none. */
const withHistory: readonly ModulePlace[] = [
  'general',
  'admin',
  'configure',
  'post-install',
  'project-admin',
  'project-page',
];

interface AppLocation {
  pathname: string;
  search: string;
  hash: string;
  key: string;
  state: unknown;
}

type Target = string | Partial<AppLocation>;

/** Handles `view.createHistory`; also returns the unsubscribe function. Throws if there is none. */
export function createHistory({ key }: ForgeModule, place: ModulePlace) {
  if (!withHistory.includes(place)) throw new Error('The history is for pages of the app only.');
  const listeners = new Set<(location: AppLocation, action: string) => void>();
  const routed = place === 'general';
  let inner = '/';

  const current = (): AppLocation => ({
    pathname: routed ? location.pathname.slice(MODULE_PAGES_PATH.length) || `/${key}` : inner,
    search: location.search,
    hash: location.hash,
    key: 'default',
    state: null,
  });
  const notify = (action: string) => {
    for (const listener of listeners) listener(current(), action);
  };
  const back = () => notify('POP');
  window.addEventListener('popstate', back);

  function move(target: Target, action: 'PUSH' | 'REPLACE'): void {
    const { pathname, search, hash } = typeof target === 'string' ? new URL(target, location.origin) : target;
    const path = pathname ?? current().pathname;
    if (!routed) inner = path;
    else if (action === 'PUSH') go(`${MODULE_PAGES_PATH}${path}${search ?? ''}${hash ?? ''}`);
    else history.replaceState(null, '', `${MODULE_PAGES_PATH}${path}${search ?? ''}${hash ?? ''}`);
    notify(action);
  }

  return {
    end: () => window.removeEventListener('popstate', back),
    history: {
      action: 'POP',
      location: current(),
      push: (target: Target) => move(target, 'PUSH'),
      replace: (target: Target) => move(target, 'REPLACE'),
      go: (steps: number) => history.go(steps),
      goBack: () => history.back(),
      goForward: () => history.forward(),
      listen(listener: (location: AppLocation, action: string) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}
