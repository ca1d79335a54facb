import { writeFileSync } from 'node:fs';
import { BadBuildSetting } from '../domain/build/settings.ts';
import { BadArgument, manifestArguments, usage } from './arguments.ts';
import { manifestText } from './text.ts';

/** Writes the Forge manifest. Run by `npm run manifest`. */
try {
  const { out, values } = manifestArguments(process.argv.slice(2), process.env);
  writeFileSync(out, manifestText(values));
} catch (error) {
  if (!(error instanceof BadArgument || error instanceof BadBuildSetting)) throw error;
  process.stderr.write(`${error.message}\n\n${usage}\n`);
  process.exitCode = 2;
}
