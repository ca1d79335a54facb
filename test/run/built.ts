import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** What `npm run build:all` makes last of each part, relative to the project's root. */
export const BUILT = [
  ...['client/index.html', 'server/main.js', 'cli/main.js', 'tracker/main.js', 'tracker/page/index.html'],
  ...['free/client/index.html', 'free/server/main.js'],
].map(file => join('dist', file));
