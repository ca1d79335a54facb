import { expect } from 'vitest';
import { drag } from '../drag.ts';
import type { Flow } from '../flows.ts';
import { click, focused, hover, lines, menuEntry, rows, settled, texts, visible } from '../look.ts';

/** The inline list: rows by key, by mouse and by drag, and what a row has. */
export function listFlows(flow: Flow): void {
  flow('rows are added, ticked, reworded, moved and deleted by key', async ({ emma, add, isSaved, picture }) => {
    await add('one', 'two', 'three');
    await click(emma, 'panel', '.check-tick input');
    await isSaved('+ one', '- two', '- three');
    await emma.press('ArrowDown', 'F2');
    await visible(emma, 'panel', '[aria-label="Text of two"]');
    await expect.poll(() => focused(emma, 'panel')).toBe('Text of two');
    await emma.type(' and a half');
    await emma.press('Enter');
    await isSaved('+ one', '- two and a half', '- three');
    await emma.press('Alt+ArrowUp');
    await isSaved('- two and a half', '+ one', '- three');
    await emma.press('Delete');
    await isSaved('+ one', '- three');
    expect(await focused(emma, 'panel')).toBe('one');
    expect(await emma.run('panel', `return document.activeElement.matches(':focus-visible');`)).toBe(true);
    await picture('panel');
  });

  flow('a row is ticked, reworded and deleted by mouse, and the deletion undone', async context => {
    const { emma, add, isSaved } = context;
    await add('one', 'two');
    await click(emma, 'panel', '.check-tick input');
    await isSaved('+ one', '- two');
    await click(emma, 'panel', '.check-text', 'two');
    await expect.poll(() => focused(emma, 'panel')).toBe('Text of two');
    await emma.type('!');
    await click(emma, 'panel', '.check-progress');
    await isSaved('+ one', '- two!');
    await hover(emma, 'panel', '.check-text', 'two!');
    await click(emma, 'panel', 'button[aria-label="Delete two!"]');
    await isSaved('+ one');
    await click(emma, 'panel', 'button', 'Undo');
    await isSaved('+ one', '- two!');
  });

  flow('menus that are opened after a click show where keys lead', async ({ emma, add, picture }) => {
    await add('one', 'two');
    // The kit draws its ring where the engine says that the focus is visible.
    const ring = async () =>
      emma.run(
        'panel',
        'const it = document.activeElement; return it.matches(":focus-visible") && getComputedStyle(it).outlineStyle;',
      );
    await click(emma, 'panel', '.check-tick input');
    await emma.press('Shift+F10');
    await expect.poll(() => menuEntry(emma)).toBe('Edit');
    expect(await ring()).toBe('solid');
    await emma.press('Escape');
    await click(emma, 'panel', '[aria-label^="Checklist actions"]');
    await expect.poll(() => menuEntry(emma)).toBe('Apply template…');
    await emma.press('ArrowDown');
    await expect.poll(() => menuEntry(emma)).toBe('Save as template…');
    expect(await ring()).toBe('solid');
    await settled(emma);
    await picture('menu');
    await emma.press('Escape');
    await expect.poll(() => focused(emma, 'panel')).toMatch(/^Checklist actions/);
    expect(await ring()).toBe('solid');
  });

  flow('a row is dragged by its grip, and no text stays selected', async ({ emma, add, isSaved }) => {
    await add('one', 'two', 'three');
    await drag(emma, 1, 3);
    await isSaved('- two', '- three', '- one');
    expect(await emma.run('panel', 'return String(getSelection());')).toBe('');
  });

  flow('a due date and a person are set by key', async ({ emma, add, isSaved, picture }) => {
    await add('one');
    await click(emma, 'panel', '.check-tick input');
    await isSaved('+ one');
    await click(emma, 'panel', '.check-tick input');
    await isSaved('- one');
    await emma.press('i');
    await expect.poll(() => texts(emma, 'panel', '.check-meta')).toEqual([expect.stringContaining('Emma Richards')]);
    await emma.press('d');
    await visible(emma, 'panel', '[role="dialog"]');
    await emma.type('tomorrow');
    await emma.press('Enter');
    const tomorrow = new Intl.DateTimeFormat('sv').format(Date.now() + 86_400_000);
    await isSaved(`- one [~accountid:5b10a2844c20165700ede21c] ${tomorrow}`);
    await picture('date and person');
  });

  flow('a search finds rows of a long list', async ({ emma, add, showsRows }) => {
    await add(...Array.from({ length: 16 }, (_, index) => `item ${index + 1}`));
    await click(emma, 'panel', '.check-tick input');
    await emma.press('/');
    await expect.poll(() => focused(emma, 'panel')).toBe('Search items');
    await emma.type('16');
    await showsRows(emma, 'item 16');
    await emma.press('Escape');
    await expect.poll(async () => (await rows(emma)).length).toBeGreaterThan(1);
  });

  flow('what stands in a row’s field and in “Add an item” outlives a reload', async ({ emma, add, isSaved }) => {
    await add('one', 'two');
    await emma.type('half an item');
    await click(emma, 'panel', '.check-text', 'one');
    await expect.poll(() => focused(emma, 'panel')).toBe('Text of one');
    await emma.type(' half');
    await new Promise(resolve => setTimeout(resolve, 500));
    await emma.reload();
    await visible(emma, 'panel', '[aria-label="Add an item"]');
    await expect
      .poll(() => emma.run('panel', `return document.querySelector('[aria-label="Add an item"]').value;`))
      .toBe('half an item');
    // Saved on leaving, or offered again: engines differ in what a page does when it ends.
    await expect.poll(async () => (await rows(emma))[0]).toMatch(/^one/);
    if ((await rows(emma))[0] === 'one') {
      await click(emma, 'panel', '.check-text', 'one');
      await expect.poll(() => lines(emma, 'panel')).toBe('one half');
      await emma.press('Enter');
    }
    await isSaved('- one half', '- two');
  });
}
