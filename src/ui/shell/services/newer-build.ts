import { canStore, keyOf, openStorage, safeStorage } from '../../../client/browser-storage.ts';
import { edition } from '../../../domain/edition.ts';
import { createTimer } from '../../../domain/timing.ts';
import { isTyping } from '../../kit/typing.ts';
import type { Navigation } from '../navigation/navigation.ts';

/** The window that a build's page stands in. */
export interface BuildsPage {
  /** Outlives a reload of the window; `undefined` if it is denied. */
  session?: Storage | undefined;
  /** Names the build of this page. */
  build?: string | undefined;
  /** Whether the page has come from a reload. */
  isReloaded?(): boolean;
  /** Whether the server answers with a page. */
  isThere?(): Promise<boolean>;
  target?: Pick<Window, 'addEventListener'>;
}

const TRIED_BUILDS_KEY = keyOf(`${edition.key}.reloaded`);

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

/** Keys typed during a reload would be lost, so it waits for a pause in typing. */
const IDLE_DELAY_MS = 1_000;

/** Resolves at a pause in typing; at once if no field has the focus. */
const typingPause = () =>
  new Promise<void>(resolve => {
    if (!isTyping(document.activeElement)) return resolve();
    const timer = createTimer(() => {
      removeEventListener('keydown', restart, true);
      resolve();
    });
    const restart = () => timer.start(IDLE_DELAY_MS);
    addEventListener('keydown', restart, true);
    restart();
  });

/**
 * Reloads the page, once for each build, after one of its files could not be loaded: a server with a newer build may have
 * it no more, and Chromium does not request it again. Not while the server is out of reach, and not over edits that would
 * be lost; then it tries again with the next file. At a pause in typing. If nothing can be stored, not after
 * another reload.
 */
export function reloadForFiles(navigation: Pick<Navigation, 'reload'>, page: BuildsPage = {}): Promise<void> {
  const { session = openStorage('sessionStorage'), build = entry() ?? '', target = window } = page;
  const safe = safeStorage(session);
  const tried = () => (safe.get(TRIED_BUILDS_KEY) ?? '').split(' ');
  const mayReload = canStore(session) ? () => !tried().includes(build) : () => !(page.isReloaded ?? isReloaded)();

  async function attempt(): Promise<void> {
    if (!mayReload() || !(await (page.isThere ?? isThere)())) return;
    await typingPause();
    if (mayReload() && navigation.reload()) safe.set(TRIED_BUILDS_KEY, [...tried(), build].join(' ').trim());
  }

  target.addEventListener('vite:preloadError', () => void attempt());
  return attempt();
}
