import type { Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusals } from '../../src/domain/messages.ts';
import { axeFindings, frameOf } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** Every screen of templates, statuses and settings as each role, also without a link to it in the tracker. */

const ISSUE = 'WEB-3';
const project = 'projectKey=WEB&projectId=10000';
const screens = {
  admin: '/admin?surface=admin',
  project: `/project?surface=project-admin&${project}`,
  templates: `/templates?surface=project-admin&${project}`,
  assignments: `/templates/assignments?surface=project-admin&${project}`,
  'save-template': `/save-template?surface=issue-context&issueKey=${ISSUE}&issueId=10003&${project}`,
  'post-install': '/post-install?surface=admin',
  'smart-templates-editor': `/smart-templates-editor?surface=page&${project}`,
} as const;
type Screen = keyof typeof screens;

let site: page.Site;
let visitor: Page;

onSite(async started => {
  site = started;
});

const frame = (): FrameLocator => page.panel(visitor);
const button = (name: string) => frame().getByRole('button', { name, exact: true });

/** Opens a screen in the frame of an issue's panel by its address. */
async function openScreen(screen: Screen): Promise<void> {
  const appFrame: Frame = await frameOf(frame().locator('body'));
  await appFrame.goto(`${site.programs.addon.url}${screens[screen]}`);
  await frame().locator('main').waitFor();
}

const text = (message: string) => frame().locator('main').getByText(message);

async function expectAccessible(name: string): Promise<void> {
  for (const theme of page.themes) {
    await page.switchTheme(visitor, frame(), theme);
    await page.shot(visitor, `role ${name} ${theme}`);
    expect(await axeFindings(frame().locator('main'))).toEqual([]);
  }
}

/** Content of a screen: a refusal, or the available commands. */
type Expected = { refused: string } | { can: string[]; cannot?: string[] };

const { permission, projectAdmin } = refusals;
const roles: Record<keyof typeof page.people, Record<Screen, Expected>> = {
  admin: {
    admin: { can: ['New status', 'Manage templates', 'Edit Done'] },
    project: { can: ['New status', 'Manage templates', 'Template assignments'] },
    templates: { can: ['New template', 'Import file…', 'Template assignments'] },
    assignments: { can: ['New rule'] },
    'save-template': { can: ['Save template'] },
    'post-install': { can: ['Add the demo checklist'] },
    'smart-templates-editor': { can: ['New template'] },
  },
  projectAdmin: {
    admin: { refused: permission },
    project: { can: ['New status', 'Manage templates', 'Template assignments'], cannot: ['Edit Done'] },
    templates: { can: ['New template', 'Template assignments'] },
    assignments: { can: ['New rule'] },
    'save-template': { can: ['Save template'] },
    'post-install': { refused: permission },
    'smart-templates-editor': { can: ['New template'] },
  },
  editor: {
    admin: { refused: permission },
    project: { refused: projectAdmin },
    templates: { can: [], cannot: ['New template', 'Template assignments', 'Import file…'] },
    assignments: { refused: projectAdmin },
    'save-template': { can: ['Save template'] },
    'post-install': { refused: permission },
    'smart-templates-editor': { can: [], cannot: ['New template'] },
  },
  viewer: {
    admin: { refused: permission },
    project: { refused: projectAdmin },
    templates: { refused: permission },
    assignments: { refused: projectAdmin },
    'save-template': { refused: permission },
    'post-install': { refused: permission },
    'smart-templates-editor': { refused: permission },
  },
};

for (const [role, seen] of Object.entries(roles) as [keyof typeof roles, Record<Screen, Expected>][]) {
  describe(role, () => {
    beforeAll(async () => {
      visitor = await site.visitor(page.people[role]);
      await site.open(visitor, ISSUE);
      await frame().locator('main').waitFor();
    });
    afterAll(() => visitor.close());

    for (const [screen, sees] of Object.entries(seen) as [Screen, Expected][]) {
      test(`${role} at ${screen}`, async () => {
        await openScreen(screen);
        if ('refused' in sees) {
          await text(sees.refused).waitFor();
          expect(await frame().locator('main').getByRole('textbox').count()).toBe(0);
        } else {
          for (const name of sees.can) await button(name).first().waitFor();
          if (sees.can.length === 0) await frame().getByRole('textbox', { name: 'Search' }).waitFor();
          for (const name of sees.cannot ?? []) expect(await button(name).count()).toBe(0);
          expect(await text(permission).or(text(projectAdmin)).count()).toBe(0);
        }
        await expectAccessible(`${role} ${screen}`);
      });
    }
  });
}

test('no browser errors', () => {
  expect(site.browserErrors).toEqual([]);
});
