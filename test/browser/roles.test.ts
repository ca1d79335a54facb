import type { Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusals } from '../../src/domain/messages.ts';
import { axeFindings, frameOf } from './axe.ts';
import { onSite } from './fixture.ts';
import * as page from './site.ts';

/** Every screen of templates, statuses and settings as each role sees it, wherever the tracker itself would lead them. */

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
let somebody: Page;

onSite(async there => {
  site = there;
});

const frame = (): FrameLocator => page.panel(somebody);
const button = (name: string) => frame().getByRole('button', { name, exact: true });

/** Leads the frame of an issue's panel to a screen by its address, as somebody may who knows it. */
async function lead(screen: Screen): Promise<void> {
  const ours: Frame = await frameOf(frame().locator('body'));
  await ours.goto(`${site.programs.addon.url}${screens[screen]}`);
  await frame().locator('main').waitFor();
}

const told = (message: string) => frame().locator('main').getByText(message);

async function clean(name: string): Promise<void> {
  for (const theme of page.themes) {
    await page.switchTheme(somebody, frame(), theme);
    await page.shot(somebody, `role ${name} ${theme}`);
    expect(await axeFindings(frame().locator('main'))).toEqual([]);
  }
}

/** What somebody sees on each screen: what they are told, or what they can do there. */
type Sees = { refused: string } | { can: string[]; cannot?: string[] };

const { permission, projectAdmin } = refusals;
const roles: Record<keyof typeof page.people, Record<Screen, Sees>> = {
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

for (const [role, seen] of Object.entries(roles) as [keyof typeof roles, Record<Screen, Sees>][]) {
  describe(role, () => {
    beforeAll(async () => {
      somebody = await site.visitor(page.people[role]);
      await site.open(somebody, ISSUE);
      await frame().locator('main').waitFor();
    });
    afterAll(() => somebody.close());

    for (const [screen, sees] of Object.entries(seen) as [Screen, Sees][]) {
      test(`${role} at ${screen}`, async () => {
        await lead(screen);
        if ('refused' in sees) {
          await told(sees.refused).waitFor();
          expect(await frame().locator('main').getByRole('textbox').count()).toBe(0);
        } else {
          for (const name of sees.can) await button(name).first().waitFor();
          if (sees.can.length === 0) await frame().getByRole('textbox', { name: 'Search' }).waitFor();
          for (const name of sees.cannot ?? []) expect(await button(name).count()).toBe(0);
          expect(await told(permission).or(told(projectAdmin)).count()).toBe(0);
        }
        await clean(`${role} ${screen}`);
      });
    }
  });
}

test('nothing was complained about', () => {
  expect(site.complaints).toEqual([]);
});
