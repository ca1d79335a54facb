import { writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql/index.js';
import { build } from 'vite';
import manifest from '../../../package.json' with { type: 'json' };
import { buildSettings } from '../../../src/domain/build/settings.ts';
import { schema } from '../../../src/server/http/graphql/schema.ts';

/** Builds what is kept of this client, with the schema that types its answers: `npm run keep:client`, once a release is out. */

const at = (path: string) => new URL(path, import.meta.url).pathname;

/** What the entry's own modules stand for. */
const replaced: Readonly<Record<string, string>> = {
  [at('../../../src/client/operation.ts')]: at('recorded.ts'),
  [at('../../../src/bridge/forge-vendor.ts')]: at('vendor.ts'),
};

await build({
  configFile: false,
  root: at('.'),
  define: { __BUILD__: JSON.stringify(buildSettings({}, manifest.version)) },
  plugins: [
    {
      name: 'replaced',
      enforce: 'pre',
      async resolveId(source, importer) {
        const found =
          importer && importer !== at('recorded.ts') && (await this.resolve(source, importer, { skipSelf: true }));
        return found ? replaced[found.id] : undefined;
      },
    },
  ],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: at('kept'),
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: {
      input: { client: at('entry.ts') },
      output: {
        entryFileNames: '[name].js',
        codeSplitting: false,
        minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
      },
      treeshake: { moduleSideEffects: id => id.includes('/src/client/') },
      onLog: () => {},
    },
  },
});

await writeFile(at('kept/schema.graphql'), `${printSchema(lexicographicSortSchema(schema))}\n`);
