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
    await openEditor(mia);
    await click(mia, 'dialog', '.cm-content');
    await mia.press('Control+End');
    await mia.type(' more');
    // WebKit's driver has no setting for it: there frames have a storage for each site, as its users have.
    if (name !== 'webkit')
      await visible(mia, 'dialog', '*', "This browser can't keep unsaved changes. Save before you close the editor.");
    await picture('storage refused', mia);
    await mia.press('Control+s');
    await isSaved('+ one', '- two more');
    await mia.close();
  });
}
