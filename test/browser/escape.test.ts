import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { graphql, session } from './api.ts';
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

/** Layers, in the order in which they are opened in one dialog. */
const layers: [string, (frame: FrameLocator, page: Page) => Promise<Locator>][] = [
  [
    'a menu',
    async frame => {
      await frame.getByRole('button', { name: 'Actions for Release' }).click();
      return frame.getByRole('menu');
    },
  ],
  [
    'a question',
    async frame => {
      await hasFocus(frame.getByRole('button', { name: 'Actions for Release' }));
      await frame.getByRole('button', { name: 'Actions for Release' }).click();
      await frame.getByRole('menuitem', { name: /^Make (site|project) template…/ }).click();
      return frame.getByRole('alertdialog');
    },
  ],
  [
    'the starter templates',
    async frame => {
      await frame.getByRole('button', { name: 'New template' }).click();
      await frame.getByRole('textbox', { name: 'Name' }).waitFor();
      await frame.getByRole('button', { name: 'Use a starter template' }).click();
      return frame.getByRole('combobox', { name: 'Find a template' });
    },
  ],
  [
    'the suggestions of the text',
    async (frame, page) => {
      const editor = frame.getByRole('textbox', { name: 'Template text' });
      await editor.click();
      await hasFocus(editor);
      await page.keyboard.type('- Ask @em');
      return frame.getByRole('listbox', { name: 'Suggestions' });
    },
  ],
  [
    'the calendar of the text',
    async (frame, page) => {
      await page.keyboard.type(' //');
      await frame.getByRole('option', { name: /^Pick a date/ }).click();
      return frame.getByRole('dialog', { name: 'Pick a date…' });
    },
  ],
  [
    'the question about unsaved edits',
    async frame => {
      await frame.getByRole('textbox', { name: 'Name' }).fill('Unsaved');
      await frame.getByRole('button', { name: 'Cancel' }).click();
      return frame.getByRole('button', { name: 'Stay' });
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
  const frame = await openTemplates(mia, frames);
  for (const [name, open] of layers) {
    const layer = await open(frame, mia);
    await layer.waitFor();
    await mia.keyboard.press('Escape');
    await layer.waitFor({ state: 'detached' });
    expect(await mia.getByRole('dialog').isVisible(), name).toBe(true);
    await frame.getByRole('heading').first().waitFor();
  }
  await mia.context().close();
});
