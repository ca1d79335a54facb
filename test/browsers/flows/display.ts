import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Flow } from '../flows.ts';
import { click, focused, isVisible, pointAt, settled, style, visible } from '../look.ts';

const themeSwitch = `document.querySelector('[role="switch"][aria-label="Dark theme"]').click();`;

/** Returns the messages of errors that the frame reported since the first call, a resize observer's loop among them. */
const gathersErrors = `
  if (!window.reportedErrors) {
    window.reportedErrors = [];
    addEventListener('error', ({ message }) => reportedErrors.push(message));
    addEventListener('unhandledrejection', ({ reason }) => reportedErrors.push(String(reason)));
  }
  return window.reportedErrors;
`;

/** How the panel looks, and the printed sheet. */
export function displayFlows(flow: Flow): void {
  flow('the panel is dark in the dark theme', async ({ emma, add, picture }) => {
    await add('one');
    await emma.run('page', themeSwitch);
    await expect.poll(() => emma.run('panel', 'return document.documentElement.dataset.colorMode;')).toBe('dark');
    await expect.poll(() => style(emma, 'panel', '.check-text', 'color')).not.toBe('rgb(41, 42, 46)');
    await picture('dark');
    await emma.run('page', themeSwitch);
  });

  flow('forced colours show the focus, statuses and the grip', async ({ name, add, visitor, open, picture }) => {
    // WebKit has no forced colours.
    if (name === 'webkit') return;
    await add('one', 'two');
    const user = await visitor('Emma Richards', { colors: 'forced' });
    await open(user);
    await click(user, 'panel', '.check-tick input');
    await user.press('ArrowDown');
    await expect.poll(() => focused(user, 'panel')).toBe('two');
    const isForced = await user.run('panel', `return matchMedia('(forced-colors: active)').matches;`);
    expect(isForced).toBe(true);
    const focus = '.check-tick input:focus-visible + .status-icon';
    expect(await style(user, 'panel', focus, 'outlineStyle')).toBe('solid');
    const canvas = await style(user, 'panel', 'body', 'backgroundColor');
    expect(await style(user, 'panel', focus, 'outlineColor')).not.toBe(canvas);
    await picture('forced colours', user);
    await user.press('s');
    await visible(user, 'panel', '[role="menuitemradio"]');
    await settled(user);
    await picture('forced colours status', user);
    await user.close();
  });

  flow('words stay whole and nothing overflows at 150 % zoom', async ({ emma, add, picture }) => {
    await add('a sentence of several words');
    const before = Number(await emma.run('page', 'return innerWidth;'));
    await emma.zoom('in');
    try {
      await expect.poll(async () => Number(await emma.run('page', 'return innerWidth;'))).toBeLessThan(before * 0.9);
      const { width } = await visible(emma, 'panel', '.check-text');
      expect(width).toBeGreaterThan(60);
      await settled(emma);
      await picture('zoom');
    } finally {
      await emma.zoom('reset');
    }
  });

  flow('the hierarchy shows checklists and changes its width without an error', async ({ emma, programs, picture }) => {
    const address = '/plugins/smart-hierarchy?issueKey=WEB-2&projectKey=WEB';
    await emma.open(programs.tracker.url + address);
    // From its first rows on, if the frame is there by then.
    await expect.poll(() => emma.run('screen', gathersErrors).catch(() => undefined)).toEqual([]);
    const toggle = '.tree-progress';
    const field = '[aria-label="Add an item to WEB-1"]';
    await click(emma, 'screen', toggle);
    await visible(emma, 'screen', field);
    // As wide as a phone, and back: rows are of another height there.
    const setWidth = (width: string) =>
      emma.run('page', `document.querySelector('main iframe').style.width = arguments[0];`, width);
    const height = async () => (await visible(emma, 'screen', '.tree-row')).height;
    const before = await height();
    await setWidth('400px');
    await expect.poll(height).not.toBe(before);
    await picture('hierarchy');
    await setWidth('');
    await expect.poll(height).toBe(before);
    await click(emma, 'screen', toggle);
    await expect.poll(() => isVisible(emma, 'screen', field)).toBe(false);
    // Engines report a loop after the next frame.
    await pause(500);
    expect(await emma.run('screen', gathersErrors)).toEqual([]);
  });

  flow('Print shows the sheet alone, while events arrive', async ({ name, emma, add, menu, undriven, openStreams }) => {
    await add('one', 'two');
    // WebKit returns from `print()` in a window that is driven, without any event.
    await emma.run(
      'panel',
      `const print = () => {
         document.documentElement.dataset.printed = String(document.querySelectorAll('[role=menu]').length);
       };
       if (arguments[0] === 'webkit') window.print = print;
       else addEventListener('beforeprint', print);`,
      name,
    );
    await menu('Print');
    await expect.poll(() => emma.run('panel', 'return document.documentElement.dataset.printed ?? "";')).toBe('0');
    if (name !== 'webkit') return;
    const button = await pointAt(emma, 'panel', '[aria-label^="Checklist actions"]');
    await click(emma, 'panel', '[aria-label^="Checklist actions"]');
    await visible(emma, 'panel', '[role="menuitem"]', 'Print');
    await settled(emma);
    const entry = await pointAt(emma, 'panel', '[role="menuitem"]', 'Print');
    await emma.press('Escape');
    await expect.poll(openStreams, { message: 'the stream of the first window' }).toBe(1);
    const user = await undriven();
    try {
      await expect.poll(openStreams, { message: 'a stream of the second window' }).toBe(2);
      await expect
        .poll(
          async () => {
            if ((await user.titles()).includes('Print')) return true;
            await user.press('Escape');
            await user.click(button);
            await pause(3_000);
            await user.click(entry);
            await pause(3_000);
            return (await user.titles()).includes('Print');
          },
          { message: "the browser's print dialog" },
        )
        .toBe(true);
    } finally {
      await user.close();
    }
  });
}
