import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BadArgument, manifestArguments } from '../../src/platform/arguments.ts';
import { manifest } from '../../src/platform/manifest.ts';
import { manifestText } from '../../src/platform/text.ts';

const root = join(import.meta.dirname, '../..');
const APP = 'a1b2c3d4-0000-4111-8222-333344445555';

test('manifest.yml is what the source gives without options: npm run manifest', () => {
  const { out, values } = manifestArguments([], {});
  expect(readFileSync(out, 'utf8')).toBe(manifestText(values));
});

test('without options it is a fresh app of the Pro edition, which can be installed by a link', () => {
  expect(manifestArguments([], {})).toMatchObject({
    out: join(root, 'manifest.yml'),
    values: {
      names: { key: 'app.smart-checklist.pro_development', name: 'Smart Checklist Pro', logo: 'logo-pro.svg' },
      past: 'none',
      pages: 'dist/forge',
      licensed: false,
    },
  });
});

test('the environment says which app, where the server is and what is built; options go first', () => {
  const env = {
    FORGE_APP_ID: `ari:cloud:ecosystem::app/${APP}`,
    BASE_URL: 'https://checklist.example.com',
    EDITION: 'free',
    DEVELOPMENT: 'false',
  };
  const named = manifestArguments([], env).values;
  expect(named).toMatchObject({ appId: APP, remote: 'https://checklist.example.com', pages: 'dist/free/forge' });
  expect(named.names.key).toBe('app.smart-checklist.free');
  const options = ['--edition', 'pro', '--past', 'connect', '--remote', 'https://other.example.com/'];
  const { values } = manifestArguments(options, env);
  expect(values).toMatchObject({ past: 'connect', licensed: true, remote: 'https://other.example.com' });
  expect(values.names.key).toBe('app.smart-checklist.pro');
  expect(manifestArguments([...options, '--licensing', 'off'], env).values.licensed).toBe(false);
});

test('regions have servers of their own, and all others the usual one', () => {
  const remote = 'https://a.example';
  const { values } = manifestArguments(
    ['--remote', remote, '--regions', 'EU=https://eu.a.example,US=https://us.a.example/'],
    {},
  );
  expect(manifest(values).remotes).toMatchObject([
    { baseUrl: { default: remote, EU: 'https://eu.a.example', US: 'https://us.a.example' } },
  ]);
  expect(manifestArguments([], { FORGE_REGIONS: 'DE=https://de.a.example' }).values.regions).toEqual({
    DE: 'https://de.a.example',
  });
});

test('an empty variable counts as unset', () => {
  expect(manifestArguments([], { FORGE_APP_ID: '', BASE_URL: '', EDITION: '' })).toEqual(manifestArguments([], {}));
});

test('the built pages are named from where the manifest is written', () => {
  const free = manifestArguments(['--edition', 'free', '--out', 'dist/free/manifest.yml'], {});
  expect(free).toMatchObject({ out: resolve(root, 'dist/free/manifest.yml'), values: { pages: 'forge' } });
});

test.each([
  [['--edition', 'enterprise'], {}, '--edition is pro or free, not enterprise.'],
  [['--past', 'server'], {}, '--past is connect or none, not server.'],
  [['--licensing', 'yes'], {}, '--licensing is on or off, not yes.'],
  [['--app-id', 'checklist'], {}, 'The app id is a UUID or an ARI of an app, not checklist.'],
  [
    [],
    { BASE_URL: 'http://127.0.0.1:3000' },
    "The server's address is https without a path, not http://127.0.0.1:3000.",
  ],
  [['--remote', 'https://a.example/b'], {}, "The server's address is https without a path, not https://a.example/b."],
  [['--regions', 'XX=https://a.example'], {}, 'A region is one of EU, US, AU, DE, SG, CA, IN, KR, JP, GB, CH, not XX.'],
  [['--regions', 'EU'], {}, "The server's address is https without a path, not ."],
  [['--remote', 'a.example'], {}, "The server's address is https without a path, not a.example."],
])('%j with %j is refused in words', (args, env, message) => {
  expect(() => manifestArguments(args, env)).toThrow(new BadArgument(message));
});

test.each([[['--editon', 'pro']], [['pro']], [['--out']]])('%j is refused', args => {
  expect(() => manifestArguments(args, {})).toThrow(BadArgument);
});
