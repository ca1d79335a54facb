import { expect } from 'vitest';
import type { Flow } from '../flows.ts';
import { addItems, click, lines, visible } from '../look.ts';

/** Two people, a server that is away, and a browser that stores nothing. */
export function networkFlows(flow: Flow): void {
  flow('two people see each other’s changes, in the panel and in the editor', async context => {
    const { emma, add, visitor, open, showsRows, openEditor, isSaved } = context;
    await add('one');
    const mia = await visitor('Mia Krystof');
    await open(mia);
    await showsRows(mia, 'one');
    await addItems(emma, 'two');
    await showsRows(mia, 'one', 'two');
    await openEditor(mia);
    await click(mia, 'dialog', '.cm-content');
    await mia.press('Control+End');
    await emma.type('three');
    await emma.press('Enter');
    await expect.poll(() => lines(mia, 'dialog')).toContain('three');
    await mia.type('!');
    await mia.press('Control+s');
    await isSaved('- one', '- two!', '- three');
    await showsRows(emma, 'one', 'two!', 'three');
    await mia.close();
  });

  flow('a page to which the user goes back is current, and keeps what was typed', async context => {
    const { name, emma, programs, add, visitor, open, showsRows, isSaved } = context;
    const field = '[aria-label="Add an item"]';
    await add('one');
    await emma.type('half');
    await new Promise(resolve => setTimeout(resolve, 500));
    await emma.run('page', `document.body.dataset.kept = 'yes';`);
    await emma.open(`${programs.tracker.url}/health`);
    const mia = await visitor('Mia Krystof');
    await open(mia);
    await visible(mia, 'panel', field);
    await addItems(mia, 'two');
    await isSaved('- one', '- two');
    await emma.run('page', 'setTimeout(() => history.back());');
    await showsRows(emma, 'one', 'two');
    // WebKit keeps the page with its frames; the others load it anew, since frames hold locks.
    if (name === 'webkit') expect(await emma.run('page', 'return document.body.dataset.kept;')).toBe('yes');
    await addItems(mia, 'three');
    await showsRows(emma, 'one', 'two', 'three');
    await click(emma, 'panel', field);
    await expect.poll(() => emma.run('panel', 'return document.activeElement.value;')).toBe('half');
    await emma.press('Enter');
    await isSaved('- one', '- two', '- three', '- half');
    await mia.close();
  });

  flow('changes made while the server is away are sent when it is back', async context => {
    const { emma, programs, add, showsRows, isSaved } = context;
    await add('one');
    await programs.addon.kill();
    await addItems(emma, 'two');
    await showsRows(emma, 'one', 'two');
    await programs.addon.start();
    await isSaved('- one', '- two');
  });

  flow('a browser that refuses storage shows and saves changes, and is notified of foreign ones', async context => {
    const { name, emma, add, visitor, open, showsRows, openEditor, isSaved, picture } = context;
    await add('one');
    const mia = await visitor('Mia Krystof', { storage: 'refused' });
    await open(mia);
    await showsRows(mia, 'one');
    await click(mia, 'panel', '.check-tick input');
    await isSaved('+ one');
    await addItems(emma, 'two');
    await showsRows(mia, 'one', 'two');
    const notKept = "This browser can't keep unsaved changes. Save before you leave.";
    await click(mia, 'panel', '[aria-label="Add an item"]');
    await mia.type('t');
    if (name !== 'webkit') await visible(mia, 'panel', '*', notKept);
    await mia.press('Backspace');
    await openEditor(mia);
    await click(mia, 'dialog', '.cm-content');
    await mia.press('Control+End');
    await mia.type(' more');
    // WebKit's driver has no setting for it: there frames have a storage for each site, as its users have.
    if (name !== 'webkit') await visible(mia, 'dialog', '*', notKept);
    await picture('storage refused', mia);
    await mia.press('Control+s');
    await isSaved('+ one', '- two more');
    await mia.close();
  });
}
