import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin, UserConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import type { ProjectConfig } from 'vitest/node';
import manifest from './package.json' with { type: 'json' };
import { buildSettings } from './src/domain/build/settings.ts';
import { chunks } from './src/ui/chunks.ts';
import { tokens } from './src/ui/kit/atlaskit/tokens-plugin.ts';
import { TEST_TIMEOUT, WAIT_TIMEOUT } from './test/run/timeouts.ts';
import './test/run/seed.ts';
import { leftToNight } from './test/run/night.ts';
import { ByProject } from './test/run/sequencer.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The commit of a build of the server: `COMMIT`, or what git says. */
function commit(): string {
  try {
    return (
      process.env.COMMIT ||
      execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { stdio: 'pipe' }).toString().trim()
    );
  } catch {
    return 'unknown';
  }
}

/** A program for Node: everything of ours in one file, packages left to node_modules. */
const program = (
  outDir: string,
  input: Record<string, string>,
  banner = '',
  chunkFileNames = 'assets/[name]-[hash].js',
): UserConfig => ({
  build: {
    ssr: true,
    outDir,
    emptyOutDir: false,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: { input, output: { entryFileNames: '[name].js', chunkFileNames, banner } },
  },
});

/** Whether pages are built for production: without source maps, which would publish the sources. */
const isProduction = () => !buildSettings(process.env, manifest.version).development;

/** A page for the browser, with its own folder as root, so that index.html lands on top. */
const page = (root: string, outDir: string): UserConfig => ({
  root: at(root),
  plugins: [react(), tokens()],
  build: {
    outDir: at(outDir),
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: !isProduction(),
    manifest: true,
    modulePreload: { polyfill: false },
  },
});

/** What the kit needs: its modern files, no feature-gate client, no analytics and no themes of its own, and default imports of its CommonJS icons. */
const kit: UserConfig = {
  resolve: {
    mainFields: ['module:es2019', 'browser', 'module', 'jsnext:main', 'jsnext'],
    alias: [
      // A browser reads HTML by itself.
      { find: /^.*\/parse-html\.ts$/, replacement: at('src/text/convert/html/parse-html-in-browser.ts') },
      { find: /^@atlaskit\/platform-feature-flags(\/fg)?$/, replacement: at('src/ui/kit/atlaskit/replacements.ts') },
      { find: '@atlaskit/app-provider/theme-provider', replacement: at('src/ui/kit/atlaskit/replacements.ts') },
      {
        find: '@atlaskit/analytics-next/usePlatformLeafEventHandler',
        replacement: at('src/ui/kit/atlaskit/replacements.ts'),
      },
    ],
  },
  legacy: { inconsistentCjsInterop: true },
};

/** Files at a time: more than cores, since tests wait as well, for pages, clocks and databases. */
const maxWorkers = Math.min(4, Math.max(2, availableParallelism())) + 1;

/** Test files that need a document, and those that replace modules. */
const DOM = ['test/**/*.dom.test.ts', 'test/**/*.test.tsx'];
const MOCKED = ['test/**/*.mocked.test.{ts,tsx}'];
const preflight = at('test/run/preflight.ts');
const databases = at('test/server/support/setup.ts');
const textWorkers = at('test/server/support/text-workers-setup.ts');
const setup = at('test/run/setup.ts');
const patientWaits = at('test/run/wait-timeouts.ts');

/** Files share a worker and the modules that it has loaded. */
const shared: ProjectConfig = { pool: 'threads', isolate: false, setupFiles: [setup] };
const dom = {
  environment: 'jsdom',
  setupFiles: [setup, at('test/ui/setup.ts')],
  server: { deps: { inline: [/@atlaskit/, /@compiled/] } },
} satisfies ProjectConfig;

/** Few characters of a hash tell a file's versions apart as well; the first load lists a hundred files. */
const named = {
  chunkFileNames: 'assets/[name]-[hash:7].js',
  assetFileNames: 'assets/[name]-[hash:6][extname]',
};

const client = (outDir: string): UserConfig => {
  const { build, ...rest } = page('src/ui', outDir);
  const output = { codeSplitting: { groups: chunks(at('src/ui')) }, ...named };
  return { ...rest, ...kit, build: { ...build, rolldownOptions: { output } } };
};

/** The page without the host's script, and with the vendor's bridge, which is loaded once there is a host, loaded beside the rest. */
const forgePage: Plugin = {
  name: 'forge-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const bridge = Object.values(bundle ?? {}).find(
        file => file.type === 'chunk' && file.facadeModuleId === at('src/bridge/forge.ts'),
      );
      const href = `./${bridge?.fileName}`;
      return {
        html: html.replace(/\s*<script [^>]*%HOST_SCRIPT_URL%[^>]*><\/script>/, ''),
        tags: [{ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href }, injectTo: 'head' }],
      };
    },
  },
};

/** Forge publishes the whole folder: the source maps and the list of chunks go to one beside it. */
const unpublished = (outDir: string, beside: string): Plugin => ({
  name: 'unpublished',
  writeBundle(_options, bundle) {
    rmSync(beside, { recursive: true, force: true });
    for (const file of Object.keys(bundle).filter(name => name.endsWith('.map') || name.startsWith('.vite/'))) {
      const target = join(beside, file);
      mkdirSync(dirname(target), { recursive: true });
      renameSync(join(outDir, file), target);
    }
    rmSync(join(outDir, '.vite'), { recursive: true });
  },
});

/** The same pages as Forge serves them from its own network, under one relative address. */
const forge = (outDir: string): UserConfig => {
  const { build, plugins = [], resolve, ...rest } = client(outDir);
  const locale = { find: '@forge/i18n', replacement: at('src/bridge/forge-locale.ts') };
  const alias = [...(Array.isArray(resolve?.alias) ? resolve.alias : []), locale];
  return {
    ...rest,
    base: './',
    resolve: { ...resolve, alias },
    plugins: [...plugins, forgePage, unpublished(at(outDir), at(`${outDir}-maps`))],
    build: { ...build, sourcemap: 'hidden' },
  };
};

/** The server's programs and their shared parts lie side by side, where one finds another (text-workers/pool.ts). */
const server = (outDir: string): UserConfig =>
  program(
    outDir,
    {
      main: at('src/server/main.ts'),
      transfer: at('src/server/operators/transfer.ts'),
      admin: at('src/server/operators/admin.ts'),
      'text-worker': at('src/server/text-workers/entry.ts'),
    },
    '',
    '[name]-[hash].js',
  );

/**
 * The command line. The package of the Model Context Protocol is written in, without what a server on standard input does
 * not need: as a dependency it would bring web servers into every installation.
 */
const cli = (): UserConfig => ({
  ...program('dist/cli', { main: at('src/cli/main.ts') }, '#!/usr/bin/env node', 'parts/[name].js'),
  ssr: { noExternal: [/^@modelcontextprotocol\//, /^zod($|\/)/, /^zod-to-json-schema/, /^ajv/] },
});

const builds: Record<string, () => UserConfig> = {
  client: () => client('dist/client'),
  'client-forge': () => forge('dist/forge'),
  server: () => server('dist/server'),
  // The Free edition beside whatever the others are of.
  'client-free': () => client('dist/free/client'),
  'client-forge-free': () => forge('dist/free/forge'),
  'server-free': () => server('dist/free/server'),
  cli,
  tracker: () => program('dist/tracker', { main: at('src/tracker/main.ts'), demo: at('src/tracker/demo.ts') }),
  'tracker-page': () => page('src/tracker/page', 'dist/tracker/page'),
};

export default defineConfig(({ mode }) => ({
  define: {
    ...(mode !== 'test' && {
      __BUILD__: JSON.stringify(
        buildSettings(process.env, manifest.version, mode.endsWith('-free') ? 'free' : undefined),
      ),
    }),
    ...(mode.startsWith('server') && { __COMMIT__: JSON.stringify(commit()) }),
    // Lezer traces its parsing when a variable of Node's says so; in the browser there is none to ask.
    ...(mode.startsWith('client') && { 'typeof process': '"undefined"' }),
    // Whose frames the pages stand in: neither build carries what the other one's host needs.
    ...(mode.startsWith('client') && {
      __HOST__: mode.startsWith('client-forge') ? '"forge"' : '"connect"',
    }),
  },
  ...builds[mode]?.(),
  test: {
    reporters: ['default', at('test/run/reporter.ts')],
    maxWorkers,
    sequence: { sequencer: ByProject },
    testTimeout: TEST_TIMEOUT,
    hookTimeout: TEST_TIMEOUT,
    expect: { poll: { timeout: WAIT_TIMEOUT } },
    projects: [
      {
        extends: true,
        test: {
          name: 'chaos',
          include: ['test/chaos/**/*.test.ts'],
          exclude: [...leftToNight],
          setupFiles: [patientWaits],
          globalSetup: [preflight, databases],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          exclude: [...leftToNight],
          setupFiles: [patientWaits],
          // One Chromium for each worker.
          isolate: false,
          globalSetup: [preflight, databases],
          testTimeout: 2 * TEST_TIMEOUT,
          hookTimeout: 2 * TEST_TIMEOUT,
          expect: { poll: { interval: 100 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'browsers',
          // On demand: other engines than Chromium do not come with the packages.
          include: process.env.BROWSERS ? ['test/browsers/**/*.test.ts'] : [],
          setupFiles: [patientWaits],
          // One browser at a time, which has the real keyboard's focus.
          fileParallelism: false,
          globalSetup: [preflight, databases],
          expect: { poll: { interval: 100 } },
        },
      },
      {
        extends: true,
        // Mercurius and the tests must share one copy of graphql: as a module or as CommonJS, not both.
        resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
        test: {
          name: 'server',
          ...shared,
          setupFiles: [setup, at('test/server/support/checks.ts')],
          include: ['test/server/**/*.test.ts'],
          exclude: [...leftToNight],
          globalSetup: [preflight, databases, textWorkers],
        },
      },
      {
        extends: true,
        test: {
          name: 'statements',
          include: ['test/statements/**/*.test.ts'],
          // After the tests of the server, whose statements it reads.
          sequence: { groupOrder: 1 },
          globalSetup: [preflight, databases],
        },
      },
      {
        ...kit,
        extends: true,
        test: {
          ...{ name: 'dom', ...shared, ...dom, include: DOM, exclude: MOCKED },
          setupFiles: [...dom.setupFiles, at('test/ui/kit-message.tsx')],
        },
      },
      {
        ...kit,
        extends: true,
        // Files that replace modules: each has modules of its own.
        test: {
          ...{ name: 'mocked', ...shared, ...dom, include: MOCKED },
          setupFiles: [at('test/run/fresh-modules.ts'), ...dom.setupFiles],
        },
      },
      {
        extends: true,
        test: {
          name: 'node',
          ...shared,
          include: ['test/**/*.test.ts'],
          exclude: ['test/{browser,browsers,chaos,server,statements}/**', ...DOM, ...MOCKED, ...leftToNight],
        },
      },
    ],
  },
}));
