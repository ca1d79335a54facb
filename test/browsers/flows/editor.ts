import { expect } from 'vitest';
import type { Flow } from '../flows.ts';
import { click, focused, isVisible, lines, takeOption, visible } from '../look.ts';

/** The editor and the other dialogs. */
export function editorFlows(flow: Flow): void {
  flow('the editor takes the first keys, completes, and saves', async context => {
    const { emma, openEditor, isSaved, showsRows, picture } = context;
    await openEditor();
    await emma.type('- first');
    await expect.poll(() => lines(emma, 'dialog')).toBe('- first');
    await emma.press('Enter');
    await emma.type('second :tad');
    await visible(emma, 'dialog', '.cm-tooltip-autocomplete li');
    await picture('completion');
    await takeOption(emma, 'dialog');
    await emma.press('Control+s');
    await isSaved('- first', '- second :tada:');
    await click(emma, 'dialog', 'button', 'Close');
    await showsRows(emma, 'first', 'second 🎉');
  });

  flow('people and dates are completed in the editor', async ({ emma, openEditor, isSaved }) => {
    await openEditor();
    await emma.type('- ask @Mia');
    await visible(emma, 'dialog', '.cm-tooltip-autocomplete li');
    await takeOption(emma, 'dialog');
    await expect.poll(() => lines(emma, 'dialog')).toContain('Mia Krystof');
    await emma.press('Control+s');
    await isSaved('- ask [~accountid:5b10a2844c20165700ede21a]');
  });

  flow('unsaved text of the editor is there again after a reload', async ({ emma, open, openEditor }) => {
    await openEditor();
    await emma.type('- kept');
    await expect.poll(() => lines(emma, 'dialog')).toContain('kept');
    await new Promise(resolve => setTimeout(resolve, 600));
    await open(emma);
    await openEditor();
    await expect.poll(() => lines(emma, 'dialog')).toContain('kept');
  });

  flow('the checklist is copied as Markdown, line by line, and pasted', async context => {
    const { emma, add, menu, openEditor, isSaved } = context;
    await add('one', 'two');
    await menu('Copy as Markdown');
    await expect.poll(() => emma.run('page', 'return document.body.innerText;')).toContain('Copied as Markdown.');
    await openEditor();
    await click(emma, 'dialog', '.cm-content');
    await emma.press('Control+a', 'Control+v', 'Control+End');
    await emma.type('!');
    await emma.press('Control+s');
    await isSaved('- one', '- two!');
  });

  flow('the first key in the editor may be a command', async ({ emma, open, add, menu, openEditor }) => {
    await add('one');
    await menu('Copy as Markdown');
    await openEditor();
    await emma.press('Control+v');
    await expect.poll(() => lines(emma, 'dialog')).toBe('- one\n- one');
    await open(emma);
    await visible(emma, 'panel', '[aria-label="Add an item"]');
    await openEditor();
    await emma.press('F1');
    await expect.poll(() => focused(emma, 'dialog')).toBe('Commands');
  });

  flow('lines are cut, pasted, found and replaced in the editor', async ({ name, emma, openEditor, isSaved }) => {
    await openEditor();
    await emma.type('- one');
    await emma.press('Enter');
    await emma.type('two');
    await emma.press('Control+a', 'Control+x', 'Control+v');
    await expect.poll(() => lines(emma, 'dialog')).toBe('- one\n- two');
    await emma.press('Control+Home');
    // WebKitGTK's MiniBrowser keeps Ctrl+F for a search of its own.
    if (name === 'webkit') await click(emma, 'dialog', 'button', 'Find');
    else await emma.press('Control+f');
    await visible(emma, 'dialog', '.cm-search input');
    await emma.type('two');
    await emma.press('Enter', 'Escape');
    await expect.poll(() => emma.run('dialog', 'return String(getSelection());')).toBe('two');
    await emma.type('2');
    await emma.press('Control+s');
    await isSaved('- one', '- 2');
  });

  flow('the editor asks before it closes with unsaved text', async ({ emma, openEditor, picture }) => {
    await openEditor();
    await emma.type('- unsaved');
    await expect.poll(() => lines(emma, 'dialog')).toContain('unsaved');
    await click(emma, 'dialog', 'button', 'Close');
    await visible(emma, 'dialog', 'button', 'Discard');
    await picture('question');
    await click(emma, 'dialog', 'button', 'Discard');
    await expect.poll(() => isVisible(emma, 'page', '[role="dialog"] iframe')).toBe(false);
  });

  flow('the history and the templates open from the menu, and Escape closes them', async context => {
    const { emma, add, menu, showsRows, picture } = context;
    await add('one');
    await menu('History');
    await visible(emma, 'panel', '*', 'Emma Richards');
    await picture('history');
    await click(emma, 'panel', '*', 'Back to checklist');
    await showsRows(emma, 'one');
    await menu('Apply template…');
    await visible(emma, 'panel', '[placeholder="Find a template"]');
    await emma.type('Release');
    await expect
      .poll(() => emma.run('panel', `return document.querySelector('[placeholder="Find a template"]').value;`))
      .toBe('Release');
    await picture('templates');
    await emma.press('Escape', 'Escape');
    await showsRows(emma, 'one');
  });
}
