import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ManifestRefused, manifestOf, readManifest } from '../../../src/tracker/forge/manifest.ts';
import { MANIFEST, VARIABLES } from './harness.ts';

const text = readFileSync(MANIFEST, 'utf8');
const changed = (from: string, to: string) => () => manifestOf(text.replace(from, to), VARIABLES);

test('variables take their values, or their defaults', async () => {
  const { app, modules } = await readManifest(MANIFEST, VARIABLES);
  expect(app.connect?.key).toBe(VARIABLES.ADDON_KEY);
  expect(modules['jira:adminPage'][0]).toMatchObject({
    title: 'Smart Checklist Pro',
    icon: 'resource:main;images/logo-pro.svg',
    displayConditions: { isAdmin: true },
  });
});

test('scopes come with what they allow, or as names alone', () => {
  const { scopes } = manifestOf(text, VARIABLES).permissions;
  expect(scopes.get('read:jira-work')).toEqual({ allowImpersonation: true });
  expect(scopes.get('write:jira-work')).toEqual({ allowImpersonation: false });
  const start = text.indexOf('  scopes:');
  const named = `${text.slice(0, start)}  scopes: ['read:jira-work']\n${text.slice(text.indexOf('  content:'))}`;
  expect([...manifestOf(named, VARIABLES).permissions.scopes.keys()]).toEqual(['read:jira-work']);
});

test.for([
  ['a variable without a value', changed('{NAME}', '{NOWHERE}'), 'NOWHERE'],
  ['a condition that the tracker cannot evaluate', changed('isAdmin: true', 'isWeekend: true'), 'isWeekend'],
  ['an endpoint that is not there', changed('resolver: { endpoint: frames }', 'resolver: { endpoint: none }'), 'none'],
  ['a remote that is not there', changed('remote: backend\n      auth', 'remote: other\n      auth'), 'other'],
  ['a resource that is not there', changed('resource: main\n', 'resource: second\n'), 'second'],
  ['what is no YAML', () => manifestOf('a: [', VARIABLES), 'YAML'],
] as const)('%s is refused', ([, read, reason]) => {
  expect(read).toThrow(ManifestRefused);
  expect(read).toThrow(reason);
});

test('a manifest that is not there is refused', async () => {
  await expect(readManifest('/nowhere/manifest.yml', {})).rejects.toThrow(ManifestRefused);
});
