import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { people } from '../../src/tracker/site/people.ts';
import { createPrograms, type Programs } from '../browser/programs.ts';
import { createDatabase } from '../server/support/postgres.ts';
import { click, focused, isVisible, lines, pointAt, rows, style, texts, visible } from './look.ts';
import type { BrowserWindow, Engine, EngineName } from './window.ts';

/*
 * The main flows of the product, the same for every engine. Each has an issue of its own. Keys, mouse and clipboard
 * are the browser's; scripts only look. The tracker and the add-on are different sites.
 */

const artifacts = join(import.meta.dirname, '../artifacts');
const MARKDOWN = '- [ ] one\n- [ ] two';

/** Runs the flows in an engine; skipped with one line where it is not installed. */
export function flows(name: EngineName, start: () => Engine | undefined): void {
  const engine = start();
  if (!engine) {
    test.skip(`${name} is not installed: see docs/testing.md`);
    return;
  }
  vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
  describe(name, () => describeFlows(name, engine));
}

function describeFlows(name: EngineName, engine: Engine): void {
  let programs: Programs;
  let emma: BrowserWindow;
  let last = 0;
  let issue = '';

  const visitor = async (person: string): Promise<BrowserWindow> => {
    const window = await engine.openWindow();
    await window.open(`${programs.tracker.url}/health`);
    const id = people.find(({ displayName }) => displayName === person)?.accountId ?? '';
    await window.setCookie('tracker.account', encodeURIComponent(id));
    return window;
  };
  const open = (window: BrowserWindow) => window.open(`${programs.tracker.url}/browse/${issue}`);
  const showsRows = (window: BrowserWindow, ...expected: string[]) => expect.poll(() => rows(window)).toEqual(expected);
  const isSaved = (...expected: string[]) =>
    expect
      .poll(async () => {
        const account = encodeURIComponent(people[0]?.accountId ?? '');
        const answer = await fetch(`${programs.tracker.url}/rest/api/2/issue/${issue}?properties=*all`, {
          headers: { cookie: `tracker.account=${account}` },
        });
        const { properties } = v.parse(
          v.looseObject({ properties: v.record(v.string(), v.unknown()) }),
          await answer.json(),
        );
        const [key] = Object.keys(properties).filter(each => each.endsWith('.checklist'));
        const stored = v.safeParse(v.looseObject({ text: v.string() }), properties[key ?? '']);
        return stored.success ? stored.output.text.trimEnd().split('\n') : [];
      })
      .toEqual(expected);
  const add = async (...items: string[]) => {
    await click(emma, 'panel', '[aria-label="Add an item"]');
    for (const item of items) {
      await emma.type(item);
      await emma.press('Enter');
    }
    await isSaved(...items.map(item => `- ${item}`));
  };
  const menu = async (entry: string) => {
    await click(emma, 'panel', '[aria-label^="Checklist actions"]');
    await click(emma, 'panel', '[role="menuitem"]', entry);
  };
  const openEditor = async () => {
    await click(emma, 'panel', '[aria-label="Open editor"]');
    await visible(emma, 'dialog', '.cm-content');
  };
  const picture = async (of: string) => {
    await mkdir(artifacts, { recursive: true });
    await writeFile(join(artifacts, `browsers-${of}-${name}.png`), await emma.screenshot());
  };

  beforeAll(async () => {
    programs = await createPrograms({
      createDatabase: () => createDatabase(inject('postgres'), { template: inject('template') }),
    });
    await programs.start();
    emma = await visitor('Emma Richards');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await picture(`failed ${task.name}`).catch(() => undefined);
  });
  afterAll(async () => {
    await engine.close();
    await programs.stop();
  });

  /** A flow on an issue of its own, whose page is open. */
  const flow = (title: string, run: () => Promise<void>) =>
    test(title, async () => {
      last += 1;
      issue = `WEB-${last}`;
      await open(emma);
      await visible(emma, 'panel', '[aria-label="Add an item"]');
      await run();
    });

  flow('rows are added, ticked, reworded, moved and deleted by key', async () => {
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
    await picture('panel');
  });

  flow('a row is dragged by its grip, and no text stays selected', async () => {
    await add('one', 'two', 'three');
    const from = await pointAt(emma, 'panel', 'li[data-key] .check-handle');
    const to = await pointAt(emma, 'panel', 'li[data-key]:nth-child(3)', undefined, { x: 0.3, y: 0.8 });
    const between = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    await emma.pointer([
      { type: 'move', to: from },
      { type: 'pause', ms: 500 },
      { type: 'down' },
      { type: 'pause', ms: 100 },
      { type: 'move', to: { x: from.x + 3, y: from.y + 6 } },
      { type: 'move', to: between },
      { type: 'move', to },
      { type: 'pause', ms: 200 },
      { type: 'move', to: { x: to.x + 1, y: to.y + 1 } },
      { type: 'pause', ms: 200 },
      { type: 'up' },
    ]);
    await isSaved('- two', '- three', '- one');
    expect(await emma.run('panel', 'return String(getSelection());')).toBe('');
  });

  flow('what stands in a row’s field and in “Add an item” outlives a reload', async () => {
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

  flow('the editor takes the first keys, completes, and saves', async () => {
    await openEditor();
    await emma.type('- first');
    await expect.poll(() => lines(emma, 'dialog')).toContain('first');
    await emma.press('Enter');
    await emma.type('second :tad');
    await visible(emma, 'dialog', '.cm-tooltip-autocomplete li');
    await picture('completion');
    await emma.press('Enter');
    await emma.press('Control+s');
    await isSaved('- first', '- second :tada:');
    await click(emma, 'dialog', 'button', 'Close');
    await showsRows(emma, 'first', 'second 🎉');
  });

  flow('unsaved text of the editor is there again after a reload', async () => {
    await openEditor();
    await emma.type('- kept');
    await new Promise(resolve => setTimeout(resolve, 600));
    await open(emma);
    await openEditor();
    await expect.poll(() => lines(emma, 'dialog')).toContain('kept');
  });

  flow('the checklist is copied as Markdown, line by line, and pasted', async () => {
    await add('one', 'two');
    await menu('Copy as Markdown');
    await visible(emma, 'page', '*', 'Copied as Markdown.');
    await openEditor();
    await click(emma, 'dialog', '.cm-content');
    await emma.press('Control+End', 'Enter', 'Control+v', 'Control+s');
    await isSaved(...MARKDOWN.replaceAll('- [ ]', '-').split('\n'), ...['- one', '- two']);
  });

  flow('Print shows the sheet alone, while events arrive', async () => {
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

  flow('two people see each other’s changes', async () => {
    await add('one');
    const mia = await visitor('Mia Krystof');
    await open(mia);
    await showsRows(mia, 'one');
    await click(emma, 'panel', '[aria-label="Add an item"]');
    await emma.type('two');
    await emma.press('Enter');
    await showsRows(mia, 'one', 'two');
    await mia.close();
  });

  flow('changes made while the server is away are sent when it is back', async () => {
    await add('one');
    await programs.addon.kill();
    await click(emma, 'panel', '[aria-label="Add an item"]');
    await emma.type('two');
    await emma.press('Enter');
    await showsRows(emma, 'one', 'two');
    await programs.addon.start();
    await isSaved('- one', '- two');
  });

  flow('a due date and a person are set by key', async () => {
    await add('one');
    await click(emma, 'panel', '.check-tick input');
    await emma.press('i');
    await expect.poll(() => texts(emma, 'panel', '.check-meta')).toEqual([expect.stringContaining('Emma Richards')]);
    await emma.press('d');
    await visible(emma, 'panel', '[role="dialog"]');
    await emma.type('tomorrow');
    await emma.press('Enter');
    await expect.poll(() => texts(emma, 'panel', '.check-meta')).toEqual([expect.stringContaining('Tomorrow')]);
    await picture('date and person');
  });

  flow('the panel is dark in the dark theme', async () => {
    await add('one');
    await emma.run('page', `document.querySelector('[role="switch"][aria-label="Dark theme"]').click();`);
    await expect.poll(() => emma.run('panel', 'return document.documentElement.dataset.colorMode;')).toBe('dark');
    await expect.poll(() => style(emma, 'panel', '.check-text', 'color')).not.toBe('rgb(41, 42, 46)');
    await picture('dark');
    await emma.run('page', `document.querySelector('[role="switch"][aria-label="Dark theme"]').click();`);
  });

  flow('a search finds rows of a long list', async () => {
    const all = Array.from({ length: 16 }, (_, index) => `item ${index + 1}`);
    await add(...all);
    await click(emma, 'panel', '.check-tick input');
    await emma.press('/');
    await emma.type('16');
    await showsRows(emma, 'item 16');
    expect(await isVisible(emma, 'panel', '.check-text', 'item 1')).toBe(false);
  });

  flow('the dialog asks before it closes with unsaved text, and templates open', async () => {
    await openEditor();
    await emma.type('- unsaved');
    await expect.poll(() => lines(emma, 'dialog')).toContain('unsaved');
    await click(emma, 'dialog', 'button', 'Close');
    await click(emma, 'dialog', 'button', 'Discard');
    await expect.poll(() => isVisible(emma, 'page', '[role="dialog"] iframe')).toBe(false);
  });
}
