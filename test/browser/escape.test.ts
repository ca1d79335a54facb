import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { full } from '../run/seed.ts';
import { graphql, session, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { clickEntry, dialog, hasFocus, panel, people, type Site } from './site.ts';

/** Layers inside the host's dialog, which Escape closes, too: the innermost one closes, the dialog stays. */

const ISSUE = 'WEB-2';

let site: Site;

onSite(
  async started => {
    site = started;
  },
  () => ({ withForge: true }),
);

/** The templates' dialog of a page with the frames of one framework. */
async function openTemplates(mia: Page, frames: string): Promise<FrameLocator> {
  await mia.evaluate(kind => localStorage.setItem('tracker.frames', kind), frames);
  await site.open(mia, ISSUE);
  await panel(mia).getByRole('button', { name: 'Checklist actions' }).click();
  await clickEntry(panel(mia), 'Manage templates');
  const frame = dialog(mia);
  await frame.getByRole('button', { name: 'Actions for Release' }).waitFor();
  return frame;
}

/** Opens a layer in the dialog, and resolves with it. */
type Open = (frame: FrameLocator, page: Page) => Promise<Locator>;

const menu = async (frame: FrameLocator) => {
  await frame.getByRole('button', { name: 'Actions for Release' }).click();
  return frame.getByRole('menu');
};
const form = async (frame: FrameLocator) => {
  await frame.getByRole('button', { name: 'New template' }).click();
  await frame.getByRole('textbox', { name: 'Name' }).waitFor();
};
const typed = async (frame: FrameLocator, page: Page, text: string) => {
  await form(frame);
  const editor = frame.getByRole('textbox', { name: 'Template text' });
  await editor.click();
  await hasFocus(editor);
  await page.keyboard.type(text);
};

const layers: [string, Open][] = [
  ['a menu', menu],
  [
    'a question',
    async frame => {
      await menu(frame);
      await frame.getByRole('menuitem', { name: /^Make (site|project) template…/ }).click();
      return frame.getByRole('alertdialog');
    },
  ],
  [
    'the starter templates',
    async frame => {
      await form(frame);
      await frame.getByRole('button', { name: 'Use a starter template' }).click();
      return frame.getByRole('combobox', { name: 'Find a template' });
    },
  ],
  [
    'the question about unsaved edits',
    async frame => {
      await form(frame);
      await frame.getByRole('textbox', { name: 'Name' }).fill('Unsaved');
      await frame.getByRole('button', { name: 'Cancel' }).click();
      return frame.getByRole('button', { name: 'Stay' });
    },
  ],
  [
    'the suggestions of the text',
    async (frame, page) => {
      await typed(frame, page, '- Ask @em');
      return frame.getByRole('listbox', { name: 'Suggestions' });
    },
  ],
  [
    'the calendar of the text',
    async (frame, page) => {
      await typed(frame, page, '- Ship it //');
      await frame.getByRole('option', { name: /^Pick a date/ }).click();
      return frame.getByRole('dialog', { name: 'Pick a date…' });
    },
  ],
];

test.each(['connect', 'forge'])('%s: Escape closes the layer, and the dialog stays', async frames => {
  const mia = await site.visitor(people.admin);
  const token = await session(site.programs, mia, ISSUE);
  const query =
    'mutation run($input: CreateTemplateFromTextInput!) { createTemplateFromText(input: $input) { errors { message } } }';
  const input = { name: 'Release', text: '- one', projectId: null };
  if (frames === 'connect') await graphql(site.programs, mia, token, query, { input });
  // The gate opens each layer in the frames of one framework.
  const tried = full ? layers : layers.filter((_, index) => index % 2 === (frames === 'connect' ? 0 : 1));
  for (const [name, open] of tried) {
    const frame = await openTemplates(mia, frames);
    const layer = await open(frame, mia);
    await layer.waitFor();
    await mia.keyboard.press('Escape');
    await layer.waitFor({ state: 'detached' });
    expect(await mia.getByRole('dialog').isVisible(), name).toBe(true);
    await frame.getByRole('heading').first().waitFor();
    if (open === menu) await hasFocus(frame.getByRole('button', { name: 'Actions for Release' }));
  }
  await mia.context().close();
});

test('Escape in a menu of the panel gives the focus back to its button', async () => {
  const emma = await site.visitor(people.editor);
  await writeChecklist(site.programs, emma, ISSUE, '- one\n- two');
  await site.openLoaded(emma, ISSUE);
  const frame = panel(emma);
  await frame.getByRole('checkbox', { name: 'one' }).focus();
  await emma.keyboard.press('Shift+ArrowDown');
  for (const name of ['Checklist actions', 'More actions', 'More actions for one']) {
    const button = frame.getByRole('button', { name, exact: true });
    await button.focus();
    await emma.keyboard.press('Enter');
    await frame.getByRole('menuitem').first().waitFor();
    await emma.keyboard.press('Escape');
    await frame.getByRole('menu').waitFor({ state: 'detached' });
    await hasFocus(button);
  }
});
