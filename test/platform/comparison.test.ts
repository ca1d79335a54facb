import { describe, expect, test } from 'vitest';
import { build } from '../../src/domain/build/build.ts';
import { editionOf } from '../../src/domain/edition.ts';
import { descriptor } from '../../src/platform/descriptor.ts';
import { manifest } from '../../src/platform/manifest.ts';

/** Visible names and stored keys are the same on both platforms. */
describe.each([
  ['pro', 'connect'],
  ['pro', 'none'],
  ['free', 'connect'],
  ['free', 'none'],
] as const)('edition %s, past %s', (edition, past) => {
  const names = editionOf({ ...build, edition });
  const connect = descriptor({ ...names, baseUrl: 'https://checklist.example.com', version: 'v1.0.0' }).modules;
  const { app, modules: forge } = manifest({
    names,
    past,
    appId: 'a1b2c3d4-0000-4111-8222-333344445555',
    remote: 'https://checklist.example.com',
    pages: 'dist/forge',
    licensed: false,
  });
  const titled = (modules: readonly { key: string; name: { value: string } }[]) =>
    modules.map(({ key, name }) => [key, name.value]);
  const onForge = (modules: readonly { key: string; title: string }[]) => modules.map(({ key, title }) => [key, title]);

  test('the places, and their titles', () => {
    expect(onForge(forge['jira:issuePanel'])).toEqual(titled(connect.jiraIssueContents));
    expect(onForge(forge['jira:issueContext'])).toEqual(titled(connect.jiraIssueContexts));
    expect(onForge(forge['jira:projectSettingsPage'])).toEqual(titled(connect.jiraProjectAdminTabPanels));
    expect(onForge(forge['jira:adminPage'])).toEqual(
      titled([...connect.adminPages, connect.configurePage, connect.postInstallPage]),
    );
    expect(forge['jira:globalPage'].flatMap(({ pages }) => pages.map(({ route, title }) => [route, title]))).toEqual(
      titled(connect.generalPages),
    );
    expect(onForge(forge['jira:projectPage'])).toEqual(titled(connect.jiraProjectPages));
    // A portal's panel has no name on Connect.
    expect(forge['jiraServiceManagement:portalRequestDetail'].map(({ key }) => key)).toEqual(
      connect.serviceDeskPortalRequestViewPanels.map(({ key }) => key),
    );
    expect(forge['jira:issueContext'].map(({ label }) => label)).toEqual(
      connect.jiraIssueContexts.map(({ content }) => content.label.value),
    );
  });

  test('the logo', () => {
    const files = (addresses: readonly string[]) => new Set(addresses.map(address => address.split('images/')[1]));
    const icons = [...forge['jira:issuePanel'], ...forge['jira:issueContext'], ...forge['jira:projectSettingsPage']];
    expect(files(icons.map(({ icon }) => icon))).toEqual(
      files([...connect.jiraIssueContents, ...connect.jiraIssueContexts].map(({ icon }) => icon.url)),
    );
  });

  test('the project property that places the panel, with the opposite condition beside the issue', () => {
    const conditions = [...connect.jiraIssueContents, ...connect.jiraIssueContexts].flatMap(each => each.conditions);
    const properties = new Set(conditions.flatMap(({ params }) => params?.propertyKey ?? []));
    expect([...properties]).toEqual([`${names.key}.show-in-center-panel`]);
    const inCentre = {
      entityPropertyEqualTo: { entity: 'project', propertyKey: [...properties][0], value: 'true' },
    };
    expect(forge['jira:issuePanel'][0]?.displayConditions).toEqual(inCentre);
    expect(forge['jira:issueContext'].map(each => each.displayConditions)).toEqual([{ not: inCentre }]);
  });

  test('the permissions', () => {
    const shown = ({ key, name, description, category }: (typeof forge)['jira:projectPermission'][number]) => ({
      key,
      name: { value: name },
      description: { value: description },
      category,
    });
    expect(forge['jira:projectPermission'].map(shown)).toEqual(connect.jiraProjectPermissions);
  });

  test('the search aliases', () => {
    const indexed = forge['jira:entityProperty'].map(({ key, entityType, propertyKey, values }) => ({
      key,
      entityType,
      keyConfigurations: [
        {
          propertyKey,
          extractions: values.map(({ path, type, searchAlias }) => ({ objectName: path, type, alias: searchAlias })),
        },
      ],
    }));
    expect(connect.jiraEntityProperties).toMatchObject(indexed);
    expect(indexed).toHaveLength(connect.jiraEntityProperties.length);
  });

  test('an event for each webhook', () => {
    const events = forge.trigger.slice(1).flatMap(trigger => trigger.events);
    expect(events).toHaveLength(connect.webhooks.length);
  });

  test('only an app that was a Connect add-on bears its key, its field and the mark of migration', () => {
    const fields = forge['jira:customField'].map(({ key, name }) => [key, name]);
    const [textField, ...readOnly] = titled(connect.jiraIssueFields);
    const kept = [...forge['jira:projectPermission'], ...forge['jira:customField']];
    const migrated = kept.filter(module => 'migratedFromConnect' in module && module.migratedFromConnect);
    if (past === 'connect') {
      expect(app.connect).toEqual({ key: names.key, remote: 'backend' });
      expect(fields).toEqual([textField, ...readOnly]);
      expect(migrated).toEqual(kept);
    } else {
      expect(app).not.toHaveProperty('connect');
      expect(fields).toEqual(readOnly);
      expect(migrated).toEqual([]);
    }
  });
});
