import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { manifestArguments } from '../../src/platform/arguments.ts';
import { descriptor, placeholders } from '../../src/platform/descriptor.ts';
import { manifest } from '../../src/platform/manifest.ts';
import { manifestText } from '../../src/platform/text.ts';
import { faultsOf } from './rules.ts';
import { problemsOf } from './vendor.ts';

let folder = '';

/** The manifest's folder, with the built pages and the files that it names. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'manifest-'));
  for (const pages of ['dist/forge', 'dist/free/forge']) {
    mkdirSync(join(folder, pages), { recursive: true });
    writeFileSync(join(folder, pages, 'index.html'), '<!doctype html><title>Pages</title>');
    cpSync(join(import.meta.dirname, '../../src/ui/public/images'), join(folder, pages, 'images'), { recursive: true });
  }
  return () => rmSync(folder, { recursive: true });
});

const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(() => {
  throw new Error('The network was asked.');
});
afterEach(() => expect(connect).not.toHaveBeenCalled());
afterAll(() => connect.mockRestore());

test('the network would be noticed', async () => {
  await expect(fetch('http://127.0.0.1:65000')).rejects.toThrow();
  expect(connect).toHaveBeenCalled();
  connect.mockClear();
});

async function validate(text: string): Promise<string[]> {
  const file = join(folder, 'manifest.yml');
  writeFileSync(file, text);
  return problemsOf(file);
}

const variants = ['pro', 'free'].flatMap(edition => ['none', 'connect'].map(past => [edition, past] as const));
const textOf = (...args: string[]) => manifestText(manifestArguments(args, {}).values);

describe.each(variants)('edition %s, past %s', (edition, past) => {
  const text = textOf('--edition', edition, '--past', past);

  test('the vendor has no errors and no warnings', async () => {
    expect(await validate(text)).toEqual([]);
  });

  test('what the vendor would not notice is right, too', () => {
    expect(faultsOf(text, folder)).toEqual([]);
  });
});

/** A manifest with one text in the place of another one, wherever that stands. */
function changed(from: string | RegExp, to: string, past = 'none'): string {
  const text = textOf('--past', past);
  const other = text.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'g'), to);
  expect(other).not.toBe(text);
  return other;
}

test.each([
  ['an unknown scope', 'read:jira-user:', 'read:jira-users:', /read:jira-users/],
  ['events without their scope', / {4}read:jira-work:\n.*\n/, '', /updated:issue' requires 'read:jira-work'/],
  [
    'an endpoint of an unknown remote',
    'remote: backend\n      route',
    'remote: other\n      route',
    /remote property 'other' was not found/,
  ],
  ['a display condition with a wrong name', 'entityPropertyEqualTo:', 'entityPropertyEquals:', /entityPropertyEquals/],
  ['pages that were not built', 'path: dist/forge', 'path: dist/nowhere', /missing resource 'dist\/nowhere'/],
  ['a key that two modules have', 'key: on-tick', 'key: hierarchy-content', /duplicate module key/],
  ['a remote without TLS', 'https://', 'http://', /external\.fetch\.client/],
])('the vendor refuses %s', async (_, from, to, message) => {
  expect((await validate(changed(from, to))).join('\n')).toMatch(message);
});

test('an app with a Connect past says that it moves, and where that is explained', () => {
  expect(manifest(manifestArguments(['--past', 'connect'], {}).values).modules).toMatchObject({
    connectToForgeMigration: [
      { willMigrateToForgeBeforeEOS: 'YES', migrationGuideUrl: expect.stringMatching(/^https:/) },
    ],
  });
  expect(textOf()).not.toContain('connectToForgeMigration');
});

test("the general pages' module has the key of Connect's page, to which the platform redirects", () => {
  const { modules } = manifest(manifestArguments([], {}).values);
  const keys = descriptor(placeholders).modules.generalPages.map(({ key }) => key);
  expect(modules['jira:globalPage'].map(({ key }) => key)).toEqual(keys.slice(0, 1));
});

test('the vendor warns of a Connect past without a remote for it', async () => {
  const problems = await validate(changed(/(connect:\n.*\n) {4}remote: backend\n/, '$1', 'connect'));
  expect(problems).toEqual([expect.stringMatching(/^warning: .*connect\.remote/)]);
});

test.each([
  ['an event that does not exist', 'updated:issue', 'changed:issue', ['event avi:jira:changed:issue does not exist']],
  [
    'a token without its scope',
    / {4}read:app-user-token: .*\n/,
    '',
    ['endpoint frames needs the scope read:app-user-token'],
  ],
  [
    'a remote with a path',
    'https://checklist-dev.example.com',
    'https://example.com/checklist',
    ['remote backend is more than an origin'],
  ],
  ['a key that two modules have', 'key: on-tick', 'key: assigned-items', ['module key assigned-items is not unique']],
  ['a long key of a remote', /backend/, 'backend-of-the-checklists', ['key backend-of-the-checklists is too long']],
  [
    'an icon that is not among the pages',
    / {6}label: Open checklist\n {6}icon: .*/,
    '      icon: resource:main;images/nothing.svg',
    ['icon resource:main;images/nothing.svg does not exist'],
  ],
  [
    'writing in the name of someone who is away',
    'write:jira-work: {}',
    'write:jira-work: { allowImpersonation: true }',
    ["scope write:jira-work lets the app change things in someone's name"],
  ],
])('our own rules refuse %s', (_, from, to, faults) => {
  expect(faultsOf(changed(from, to), folder)).toEqual(faults);
});
