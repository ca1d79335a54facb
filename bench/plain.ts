import { join } from 'node:path';
import { build } from 'vite';

/** The code of a plain React page, given by its file in this folder, as one script. */
export async function plainCode(file: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      rolldownOptions: { input: join(import.meta.dirname, file), output: { format: 'iife' } },
    },
  });
  const chunks = [built].flat().flatMap(each => ('output' in each ? each.output : []));
  const output = chunks.find(each => each.type === 'chunk');
  if (!output) throw new Error('The plain list was not built.');
  return output.code;
}
