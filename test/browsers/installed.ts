import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The path of the first of these programs that is installed. */
export const installed = (...names: readonly string[]): string | undefined =>
  names
    .flatMap(name => (process.env.PATH ?? '').split(':').map(folder => join(folder, name)))
    .find(path => existsSync(path));
