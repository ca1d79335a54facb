import { canStore, keyOf, openStorage, safeStorage } from '../../../client/browser-storage.ts';
import { edition } from '../../../domain/edition.ts';
import type { Navigation } from '../navigation/navigation.ts';

/** The window that a build's page stands in. */
export interface BuildsPage {
  /** Outlives a reload of the window; `undefined` where it is denied. */
  session?: Storage | undefined;
  /** Names the build of this page. */
  build?: string | undefined;
  /** Whether the page has come from a reload. */
  isReloaded?(): boolean;
  /** Whether the server answers with a page. */
  isThere?(): Promise<boolean>;
  target?: Pick<Window, 'addEventListener'>;
}

const TRIED = keyOf(`${edition.key}.reloaded`);

/** The page's first script: its name changes with any other file's. */
const entry = () => document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src;

const isReloaded = () =>
  performance.getEntriesByType('navigation').some(each => 'type' in each && each.type === 'reload');

async function isThere(): Promise<boolean> {
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/**
 * Reloads the page, once for each build, after one of its files could not be loaded: a server with a newer build may have
 * it no more. Not while the server is out of reach, and not over edits that would be lost; then it tries again with the
 * next file. Where nothing can be stored, not after another reload.
 */
export function reloadForFiles(navigation: Pick<Navigation, 'reload'>, page: BuildsPage = {}): Promise<void> {
  const { session = openStorage('sessionStorage'), build = entry() ?? '', target = window } = page;
  const safe = safeStorage(session);
  const tried = () => (safe.get(TRIED) ?? '').split(' ');
  const mayReload = canStore(session) ? () => !tried().includes(build) : () => !(page.isReloaded ?? isReloaded)();

  async function attempt(): Promise<void> {
    if (!mayReload() || !(await (page.isThere ?? isThere)())) return;
    if (mayReload() && navigation.reload()) safe.set(TRIED, [...tried(), build].join(' ').trim());
  }

  target.addEventListener('vite:preloadError', () => void attempt());
  return attempt();
}
