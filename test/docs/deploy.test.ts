import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { BadConfig, readConfig } from '../../src/server/app/config/config.ts';
import { root } from '../run/built.ts';

/** The files beside the guide, as far as they can be tried without a system of their own. */

const at = (file: string) => join(root, 'deploy', file);
const read = (file: string) => readFileSync(at(file), 'utf8');

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!hasAnalyze)('the unit is exposed to little: below 3 of 10 (systemd-analyze)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'checklist-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const unit = join(folder, 'checklist@3001.service');
  copyFileSync(at('checklist@.service'), unit);
  const args = ['security', '--offline=true', '--no-pager', '--threshold=30', unit];
  expect(execFileSync('systemd-analyze', args, { encoding: 'utf8' })).toContain('Overall exposure level');
});

test('the port of a unit is its name, whatever the file with the settings says', () => {
  const unit = read('checklist@.service');
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/env PORT=%i \/usr\/bin\/node dist\/server\/main\.js$/m);
  expect(unit).not.toMatch(/^Environment=PORT/m);
});

test('the example of the settings has no comment behind a value, and is read by the server', () => {
  const [, sample = ''] = /```\n( +BASE_URL=[\s\S]*?)```/.exec(read('README.md')) ?? [];
  const lines = sample.split('\n').map(line => line.trim());
  const settings = lines.filter(line => line !== '' && !line.startsWith('#'));
  expect(settings.length).toBeGreaterThan(3);
  for (const line of settings) expect(line).toMatch(/^[A-Z_]+=\S+$/);
  const key = Buffer.alloc(32).toString('base64');
  const env = Object.fromEntries(
    settings.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  expect(() => readConfig({ ...env, ENCRYPTION_KEY: key })).not.toThrow(BadConfig);
});

const composeShape = v.object({
  services: v.record(v.string(), v.object({ environment: v.record(v.string(), v.string()) })),
});

test('the settings in compose.yml are read by the server', () => {
  const { services } = v.parse(composeShape, parse(read('compose.yml'), { merge: true }));
  const { one, two } = services;
  expect(two?.environment).toEqual(one?.environment);
  const given = new Map([
    ['BASE_URL', 'https://checklist.example.com'],
    ['DATABASE_PASSWORD', 'secret'],
    ['ENCRYPTION_KEY', Buffer.alloc(32).toString('base64')],
  ]);
  const env = Object.fromEntries(
    Object.entries(one?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):\?\}/g, (_, wanted) => given.get(wanted) ?? ''),
    ]),
  );
  expect(readConfig(env)).toMatchObject({ BASE_URL: 'https://checklist.example.com', TRUST_PROXY: ['uniquelocal'] });
});

test.each(['backup.sh', 'try-image.sh', 'try-guide.sh'])('%s is a script that a shell can read', file => {
  const [, shell = ''] = /^#!\/bin\/(\w+)\n/.exec(readFileSync(at(file), 'utf8')) ?? [];
  expect(spawnSync(shell, ['-n', at(file)], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});
