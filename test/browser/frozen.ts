import type { Page } from 'playwright-core';

/** Freezes a page and its frames, and thaws it. */
export interface Freezer {
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** A method of an object inside Playwright. */
function inside(object: unknown, ...path: readonly string[]): (...given: readonly unknown[]) => unknown {
  const owner = path.slice(0, -1).reduce((at: object, name) => Object(Reflect.get(at, name)), Object(object));
  const method: unknown = Reflect.get(owner, path.at(-1) ?? '');
  if (typeof method !== 'function') throw new Error(`Playwright has no ${path.join('.')}.`);
  return (...given) => Reflect.apply(method, owner, given);
}

/**
 * Chromium freezes hidden pages only, and Playwright keeps each page visible: by a session of its own, to which nothing
 * public leads. Where a page is really frozen, it gets the event `freeze`.
 */
export async function freezerOf(page: Page): Promise<Freezer> {
  const implementation = inside(page, '_connection', 'toImpl')(page);
  const send = inside(implementation, 'delegate', '_mainFrameSession', '_client', 'send');
  const keepVisible = (enabled: boolean) => send('Emulation.setFocusEmulationEnabled', { enabled });
  const devtools = await page.context().newCDPSession(page);
  const set = (state: 'frozen' | 'active') => devtools.send('Page.setWebLifecycleState', { state });
  return {
    freeze: async () => {
      await keepVisible(false);
      await set('frozen');
    },
    thaw: async () => {
      await set('active');
      await keepVisible(true);
    },
  };
}
