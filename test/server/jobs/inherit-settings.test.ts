import { expect, test, vi } from 'vitest';
import { editionKey } from '../../../src/domain/edition.ts';
import { jobs as messages } from '../../../src/domain/messages.ts';
import { encodeRegistry } from '../../../src/domain/registry.ts';
import { builtInStatuses, type RegistryStatus } from '../../../src/domain/statuses.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import {
  encodeDefaultTemplate,
  encodeTemplateIndex,
  encodeTemplateTexts,
  type OfferedTemplate,
} from '../../../src/domain/templates.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { onStore } from '../support/stores.ts';
import { wideOf } from '../support/wide.ts';

// Each test runs a whole job.
vi.setConfig({ testTimeout: 30_000 });

const FREE = editionKey('free', true);
const free = (thing: Parameters<typeof storageKey>[0]) => storageKey(thing, FREE);
const THIRD_PROJECT = '10002';

const offered = (id: string, name: string, global = false): OfferedTemplate => ({ id, name, global, items: 1 });
/** A project's templates, each with its text. */
const templatesOf = (templates: readonly (OfferedTemplate & { text: string })[], first: string | null = null) => ({
  [free('template-index')]: encodeTemplateIndex(templates.map(({ text: _, ...each }) => each)),
  [free('templates')]: encodeTemplateTexts(templates),
  [free('default-template')]: encodeDefaultTemplate(first),
});
const statusOf = (slug: string, name: string, values: Partial<RegistryStatus> = {}): RegistryStatus => ({
  ...{ slug, name, color: 'yellow', checked: false, former: [], going: false },
  ...values,
});

onStore(use => {
  const wide = wideOf(use);

  const project = (id: string) => wide.it.tracker.projects.get(id) ?? {};
  const rows = (columns: string, table: string) =>
    use().raw(`select ${columns} from ${table} where tenant = $1 order by 1, 2`, [wide.it.tenant.id]);
  /** The job after the takeover, with its messages. */
  const inherit = async () => {
    const { job } = await wide.admin.inherit();
    const done = await wide.ended(job?.id);
    expect(done).toMatchObject({ state: 'DONE', failed: 0 });
    return done.log.map(({ message }) => message);
  };

  test('statuses, templates, the default template and the panel position are taken over', async () => {
    const hold = statusOf('on-hold', 'On hold');
    const qa = statusOf('qa', 'QA', { color: 'red' });
    const base = builtInStatuses.map(status => ({ ...status, former: [], going: false }));
    const site = offered('t-site', 'Release', true);
    const here = offered('t-here', 'Day one');
    const gone = offered('t-gone', 'Too long for the property');
    Object.assign(project(PROJECT), {
      [free('statuses')]: encodeRegistry([...base, hold, qa]),
      [free('template-index')]: encodeTemplateIndex([site, here, gone]),
      [free('templates')]: encodeTemplateTexts([
        { id: 't-site', text: '- Tag it' },
        { id: 't-here', text: '- [QA] Coffee' },
      ]),
      [free('default-template')]: encodeDefaultTemplate('t-here'),
      [free('show-in-center-panel')]: 'true',
    });
    Object.assign(project(OTHER_PROJECT), {
      [free('statuses')]: encodeRegistry([...base, hold]),
      [free('template-index')]: encodeTemplateIndex([site]),
      [free('templates')]: encodeTemplateTexts([{ id: 't-site', text: '- Tag it' }]),
      [free('default-template')]: encodeDefaultTemplate('t-site'),
    });
    expect(await inherit()).toEqual([
      'There was no room for the text of the template “Too long for the property”. Write it again.',
    ]);
    const statuses = [
      { slug: 'on-hold', project: null, name: 'On hold' },
      { slug: 'qa', project: PROJECT, name: 'QA' },
    ];
    const templates = [
      { id: 't-here', project: PROJECT, name: 'Day one', text: '- [QA] Coffee' },
      { id: 't-site', project: null, name: 'Release', text: '- Tag it' },
    ];
    expect(await rows('slug, project, name', 'status')).toEqual(statuses);
    expect(await rows('id, project, name, text', 'template')).toEqual(templates);
    expect(await rows('project, template', 'template_default')).toEqual([
      { project: PROJECT, template: 't-here' },
      { project: OTHER_PROJECT, template: 't-site' },
    ]);
    expect(project(PROJECT)[storageKey('show-in-center-panel')]).toBe('true');
    expect(storageKey('show-in-center-panel') in project(OTHER_PROJECT)).toBe(false);
    // Project properties for the app's pages.
    expect(project(PROJECT)[storageKey('template-index')]).toMatchObject({
      templates: expect.arrayContaining([['t-here', 'Day one', false, 1]]),
    });

    await use().raw("update template set name = 'Release, ours', deleted = now() where tenant = $1 and id = 't-site'", [
      wide.it.tenant.id,
    ]);
    project(PROJECT)[storageKey('show-in-center-panel')] = 'false';
    await inherit();
    expect(await rows('slug, project, name', 'status')).toEqual(statuses);
    expect(await rows('id, project, name, text', 'template')).toEqual([
      templates[0],
      { ...templates[1], name: 'Release, ours' },
    ]);
    expect(project(PROJECT)[storageKey('show-in-center-panel')]).toBe('false');
  });

  test('a template whose name is taken is renamed, and an existing status is kept', async () => {
    await use().raw(
      "insert into template (tenant, id, project, name, key, text, items, account) values ($1, 'mine', null, 'Release', 'release', '- Mine', 1, 'admin')",
      [wide.it.tenant.id],
    );
    await use().raw(
      "insert into status (tenant, slug, project, name, color, checked, position) values ($1, 'mine', null, 'On hold', 'red', false, 0)",
      [wide.it.tenant.id],
    );
    for (const id of [PROJECT, OTHER_PROJECT]) {
      Object.assign(project(id), {
        [free('statuses')]: encodeRegistry([statusOf('on-hold', 'on  hold')]),
        ...templatesOf([{ ...offered('t', 'Release', true), text: '- Theirs' }]),
      });
    }
    expect(await inherit()).toEqual([]);
    expect(await rows('name, project', 'template')).toEqual([
      { name: 'Release', project: null },
      { name: 'Release (2)', project: null },
    ]);
    expect(await rows('name, project', 'status')).toEqual([{ name: 'On hold', project: null }]);
  });

  test('projects with a status of the same name each keep their own, whatever other projects have', async () => {
    await use().raw(
      "insert into status (tenant, slug, project, name, color, checked, position) values ($1, 'third', '99999', 'review', 'red', false, 0)",
      [wide.it.tenant.id],
    );
    Object.assign(project(PROJECT), { [free('statuses')]: encodeRegistry([statusOf('review', 'Review')]) });
    Object.assign(project(OTHER_PROJECT), {
      [free('statuses')]: encodeRegistry([statusOf('review_2', 'Review'), statusOf('review_3', 'Review')]),
    });
    await inherit();
    expect(await rows('slug, project', 'status')).toEqual([
      { slug: 'review', project: PROJECT },
      { slug: 'review_2', project: OTHER_PROJECT },
      { slug: 'third', project: '99999' },
    ]);
  });

  test('what only some projects say of the whole site applies to these projects, with a notice', async () => {
    wide.it.tracker.projects.set(THIRD_PROJECT, {});
    const done = builtInStatuses.find(({ slug }) => slug === 'done');
    const own = { ...offered('t-own', 'Ours'), text: '- Ours' };
    const site = { ...offered('t-site', 'Release', true), text: '- Tag it' };
    // Site values as an administrator of one project can write them: a template, one with another text than in other
    // projects, one of another project, a status, and a new name of a built-in status.
    Object.assign(project(PROJECT), {
      [free('statuses')]: encodeRegistry([
        statusOf('mine', 'Mine'),
        statusOf('other', 'Other', { color: 'red' }),
        { ...statusOf('done', 'Hacked'), color: done?.color ?? 'green', checked: true },
      ]),
      ...templatesOf(
        [
          { ...offered('t-mine', 'Mine', true), text: '- Mine' },
          { ...site, text: '- Something else' },
          { ...own, text: '- Not theirs' },
        ],
        't-mine',
      ),
    });
    Object.assign(project(OTHER_PROJECT), {
      [free('statuses')]: encodeRegistry([statusOf('other', 'Other')]),
      ...templatesOf([site, own], 't-site'),
    });
    Object.assign(project(THIRD_PROJECT), {
      [free('statuses')]: encodeRegistry([statusOf('other', 'Other')]),
      ...templatesOf([site], 't-site'),
    });
    expect(await inherit()).toEqual([
      'The status “Hacked” stays as it is here, because not all projects had the same change.',
      'The template “Mine” stays a project template, because it may not have been a site template. An administrator can move it.',
      'The template “Release” stays a project template, because it may not have been a site template. An administrator can move it.',
    ]);
    const held = async () => ({
      templates: await rows('id, project, name, text', 'template'),
      defaults: await rows('project, template', 'template_default'),
      statuses: await rows('slug, project, name, color', 'status'),
    });
    const first = await held();
    expect(first).toEqual({
      templates: [
        { id: 't-mine', project: PROJECT, name: 'Mine', text: '- Mine' },
        { id: `t-own-${PROJECT}`, project: PROJECT, name: 'Ours', text: '- Not theirs' },
        { id: `t-own-${OTHER_PROJECT}`, project: OTHER_PROJECT, name: 'Ours', text: '- Ours' },
        { id: `t-site-${PROJECT}`, project: PROJECT, name: 'Release', text: '- Something else' },
        { id: `t-site-${OTHER_PROJECT}`, project: OTHER_PROJECT, name: 'Release', text: '- Tag it' },
        { id: `t-site-${THIRD_PROJECT}`, project: THIRD_PROJECT, name: 'Release', text: '- Tag it' },
      ],
      defaults: [
        { project: PROJECT, template: 't-mine' },
        { project: OTHER_PROJECT, template: `t-site-${OTHER_PROJECT}` },
        { project: THIRD_PROJECT, template: `t-site-${THIRD_PROJECT}` },
      ],
      statuses: [
        { slug: 'mine', project: PROJECT, name: 'Mine', color: 'yellow' },
        { slug: `other-${PROJECT}`, project: PROJECT, name: 'Other', color: 'red' },
        { slug: `other-${OTHER_PROJECT}`, project: OTHER_PROJECT, name: 'Other', color: 'yellow' },
        { slug: `other-${THIRD_PROJECT}`, project: THIRD_PROJECT, name: 'Other', color: 'yellow' },
      ],
    });
    // Repeated, also after the projects agree.
    Object.assign(project(PROJECT), templatesOf([site], 't-site'));
    await inherit();
    expect(await held()).toEqual(first);
  });

  test('two of many projects are not the whole site', async () => {
    for (const id of [THIRD_PROJECT, '10003']) wide.it.tracker.projects.set(id, {});
    for (const id of [PROJECT, OTHER_PROJECT]) {
      Object.assign(project(id), templatesOf([{ ...offered('t', 'Release', true), text: '- Tag it' }], 't'));
    }
    await inherit();
    expect(await rows('project, id', 'template')).toEqual([
      { project: PROJECT, id: `t-${PROJECT}` },
      { project: OTHER_PROJECT, id: `t-${OTHER_PROJECT}` },
    ]);
  });

  test('a project that refuses the panel position keeps it from no other one, and is named', async () => {
    for (const id of [PROJECT, OTHER_PROJECT]) project(id)[free('show-in-center-panel')] = 'true';
    wide.it.tracker.faults.push(({ method, path }) =>
      method === 'PUT' && path.includes(`/project/${PROJECT}/`) ? new Response('{}', { status: 403 }) : undefined,
    );
    expect(await inherit()).toEqual([messages.panelNotPlaced(`P${PROJECT}`)]);
    const placed = [PROJECT, OTHER_PROJECT].map(id => project(id)[storageKey('show-in-center-panel')]);
    expect(placed).toEqual([undefined, 'true']);
  });

  test("a default template of all projects becomes the site's; a project with another one keeps it", async () => {
    for (const id of [THIRD_PROJECT, '10003']) wide.it.tracker.projects.set(id, {});
    const site = { ...offered('t-site', 'Release', true), text: '- Tag it' };
    const own = { ...offered('t-own', 'Ours'), text: '- Ours' };
    Object.assign(project(PROJECT), templatesOf([site, own], 't-own'));
    for (const id of [OTHER_PROJECT, THIRD_PROJECT, '10003']) Object.assign(project(id), templatesOf([site], 't-site'));
    await inherit();
    expect(await rows('project, template', 'template_default')).toEqual([
      { project: '', template: 't-site' },
      { project: PROJECT, template: 't-own' },
    ]);
  });

  test('more templates than the index holds are reported', async () => {
    const many = Array.from({ length: 900 }, (_, index) => offered(`t-${index}`, `Template number ${index}`));
    Object.assign(project(PROJECT), templatesOf([{ ...offered('t', 'First'), text: '- One' }]), {
      [free('template-index')]: encodeTemplateIndex(many),
    });
    const messages = await inherit();
    expect(messages.at(-1)).toBe(
      `Project P${PROJECT} has more templates in Smart Checklist Free than this app can read. Export them there and import them here.`,
    );
  });
  test("values that the app's server never writes are skipped", async () => {
    const odd = { former: ['On\0ce'] };
    Object.assign(project(PROJECT), {
      [free('statuses')]: encodeRegistry([
        statusOf('good', 'Good', odd),
        statusOf('nul', 'N\0ul', odd),
        statusOf('half\ud800', 'Half', odd),
        statusOf('label', 'No ] label', odd),
      ]),
      ...templatesOf([
        { ...offered('t', 'Re\0lease'), text: '- O\0ne\r\n- Two' },
        { ...offered('no id', 'Odd'), text: '- Odd' },
        { ...offered('__proto__', 'Odd'), text: '- Odd' },
      ]),
    });
    await inherit();
    expect(await rows('slug, former', 'status')).toEqual([{ slug: 'good', former: [] }]);
    expect(await rows('name, text', 'template')).toEqual([{ name: 'Release', text: '- One\n- Two' }]);
  });
});
