import { expect, onTestFailed } from 'vitest';
import { bridgeContract, type DrivenBridge, type TestTracker } from '../bridge/contract.ts';
import { framesOf, pageScript } from './bridge/drive.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import { people, type Site } from './site.ts';

provokes(/rest\/api\/2\/(answers-\d+|silent)/);

/*
 * The adapters' contract with the vendor's own libraries. The frames of the local tracker run a page that contains only
 * the bridge, served by the add-on's server or from the Forge app's resources, each with its policy.
 */

const ISSUE = { issueKey: 'WEB-1', projectKey: 'WEB' };
/** The entry of both builds. */
const ENTRY = /\/assets\/index-[^/]+\.js$/;

let site: Site;
const scripts = new Map<string, string>();

onSite(
  async started => {
    site = started;
    for (const host of ['connect', 'forge'] as const) scripts.set(host, await pageScript(host));
  },
  () => ({ withForge: true }),
);

type Host = 'connect' | 'forge';

/** A visitor's page, whose frames run the bridge of a host. The next test goes on in it, unless one fails. */
async function openPage(host: Host) {
  const page = await site.visitor(people.projectAdmin);
  await page.evaluate(host => localStorage.setItem('tracker.frames', host), host);
  const context = page.context();
  const tracker = site.programs.tracker.url;
  const { next, nextRule } = await framesOf(context);
  await context.route(
    ({ origin, pathname }) => origin !== tracker && ENTRY.test(pathname),
    route => route.fulfill({ contentType: 'text/javascript', body: scripts.get(host) ?? '' }),
  );
  return { page, context, next, nextRule, panel: undefined as DrivenBridge | undefined };
}

const pages = new Map<Host, Awaited<ReturnType<typeof openPage>>>();

async function createTestTracker(host: Host): Promise<TestTracker> {
  const open = pages.get(host) ?? (await openPage(host));
  pages.set(host, open);
  onTestFailed(() => void pages.delete(host));
  const { page, context, next, nextRule } = open;
  const tracker = site.programs.tracker.url;
  const { id, fields } = await (await context.request.get(`${tracker}/rest/api/2/issue/${ISSUE.issueKey}`)).json();
  let panels = 0;
  return {
    issue: { ...ISSUE, issueId: id, projectId: fields.project.id },
    panel: async () => {
      panels += 1;
      if (panels > 1) {
        await page.getByRole('button', { name: 'Smart hierarchy' }).click();
        return next();
      }
      if (!open.panel) await site.open(page, ISSUE.issueKey);
      open.panel ??= await next();
      return open.panel;
    },
    rule: async entry => {
      const address = `${tracker}/projects/${ISSUE.projectKey}/workflow`;
      const rules = async () => {
        const { rules } = await (await context.request.get(address.replace('/projects', '/host/projects'))).json();
        return rules.filter((rule: { framework: string }) => rule.framework === host);
      };
      open.panel = undefined;
      if (entry === 'create') await page.goto(address);
      // The summary of an existing rule is a frame, too.
      if (entry === 'edit') await nextRule();
      const name = entry === 'edit' ? 'Edit' : /^Add validator/;
      await page.getByRole('region', { name: 'Transition to Done' }).getByRole('button', { name }).click();
      const form = page.getByRole('region', { name: entry === 'edit' ? 'Edit rule' : 'New rule' });
      const rule = await nextRule();
      return {
        ...rule,
        save: async () => {
          // An earlier answer still stands there.
          const before = await form.getAttribute('data-answered');
          await form.getByRole('button', { name: /^(Add|Save) rule$/ }).press('Enter');
          const answered = page.locator(`[data-answered]:not([data-answered="${before}"])`);
          const isAnswered = async () => (await form.and(answered).count()) > 0;
          await expect.poll(async () => (await isAnswered()) || (await form.count()) === 0).toBe(true);
          return (await rules()).at(-1)?.config;
        },
      };
    },
    dialog: next,
    escape: async () => {
      await page.getByRole('dialog').last().locator('iframe').contentFrame().locator('body').press('Escape');
    },
    answering: async (status, body) => {
      const path = `/rest/api/2/answers-${status}`;
      await context.route(tracker + path, route => route.fulfill({ status, body, contentType: 'application/json' }));
      return path;
    },
    silent: async () => {
      await context.route(`${tracker}/rest/api/2/silent`, route => route.abort());
      return '/rest/api/2/silent';
    },
  };
}

for (const host of ['connect', 'forge'] as const)
  bridgeContract(`${host}, the vendor's library`, () => createTestTracker(host));
