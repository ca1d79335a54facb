import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { templates as messages } from '../../../src/domain/messages.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { parseDefaultTemplate, parseTemplateIndex, parseTemplateTexts } from '../../../src/domain/templates.ts';
import { askAs, refused } from '../support/ask.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { notOfSite, onTemplateSites } from '../support/templates.ts';

vi.setConfig({ testTimeout: 60_000 });

const markedShape = v.object({ templates: v.array(v.object({ name: v.string(), isDefault: v.boolean() })) });

onTemplateSites(site => {
  const { made, byId } = site;

  test('the default template comes first in the project properties', async () => {
    const global = await made('admin', { name: 'Zulu' });
    const here = await made('lead', { projectId: PROJECT, name: 'Alpha' });
    const mark = (account: string, projectId: string | null, templateId: string | null) =>
      askAs(site.it, account).ask(
        `mutation run($projectId: ID, $templateId: ID) { setDefaultTemplate(projectId: $projectId, templateId: $templateId) {
          errors { code field message } template { name isDefault } } }`,
        { projectId, templateId },
      );
    const marked = async (project: string | null) => {
      const query = 'query run($project: ID) { templates(projectId: $project) { templates { name isDefault } } }';
      const { templates } = v.parse(markedShape, await askAs(site.it, 'admin').ask(query, { project }));
      return templates.filter(({ isDefault }) => isDefault).map(({ name }) => name);
    };
    expect(await mark('lead', null, global.id)).toMatchObject(notOfSite);
    expect(await mark('admin', null, here.id)).toMatchObject(refused('NOT_FOUND', 'id', messages.notFound));
    expect(await mark('admin', null, global.id)).toMatchObject({ template: { name: 'Zulu', isDefault: true } });
    await site.it.settled();
    const held = (id: string, thing: 'template-index' | 'templates' | 'default-template') =>
      site.it.tracker.projects.get(id)?.[storageKey(thing)];
    const offered = (id: string) => parseTemplateIndex(held(id, 'template-index'))?.templates.map(({ name }) => name);
    expect(offered(PROJECT)).toEqual(['Zulu', 'Alpha']);
    expect(offered(OTHER_PROJECT)).toEqual(['Zulu']);
    await mark('lead', PROJECT, here.id);
    await site.it.settled();
    expect(offered(PROJECT)).toEqual(['Alpha', 'Zulu']);
    expect(parseTemplateTexts(held(PROJECT, 'templates'))).toEqual({ [global.id]: global.text, [here.id]: here.text });
    expect(parseDefaultTemplate(held(PROJECT, 'default-template'))).toBe(here.id);
    expect(await marked(PROJECT)).toEqual(['Alpha']);
    expect(await marked(OTHER_PROJECT)).toEqual(['Zulu']);
    // Each within its scope.
    expect(await marked(null)).toEqual(['Alpha', 'Zulu']);
    // A project without one is not affected by the site's.
    await mark('lead', PROJECT, null);
    await site.it.settled();
    expect(await marked(PROJECT)).toEqual([]);
    expect(await marked(null)).toEqual(['Zulu']);
    expect(parseDefaultTemplate(held(PROJECT, 'default-template'))).toBe(null);
    expect(parseDefaultTemplate(held(OTHER_PROJECT, 'default-template'))).toBe(global.id);
    await mark('lead', PROJECT, global.id);
    expect(await marked(PROJECT)).toEqual(['Zulu']);
    await byId('admin', 'deleteTemplate', global.id);
    await site.it.settled();
    expect(offered(PROJECT)).toEqual(['Alpha']);
    expect(parseDefaultTemplate(held(PROJECT, 'default-template'))).toBe(null);
  });
});
