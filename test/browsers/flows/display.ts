import { expect } from 'vitest';
import type { Flow } from '../flows.ts';
import { settled, style, visible } from '../look.ts';

const themeSwitch = `document.querySelector('[role="switch"][aria-label="Dark theme"]').click();`;

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

  flow('Print shows the sheet alone, while events arrive', async ({ emma, add, menu }) => {
    await add('one', 'two');
    await emma.run(
      'panel',
      `addEventListener('beforeprint', () => {
         document.documentElement.dataset.printed = String(document.querySelectorAll('[role=menu]').length);
       });`,
    );
    await menu('Print');
    await expect.poll(() => emma.run('panel', 'return document.documentElement.dataset.printed ?? "";')).toBe('0');
  });
}
