import { resolve } from 'node:path';
import * as z from 'zod';

const shape = z.object({
  TRACKER_PORT: z.coerce.number().int().min(1).max(65_535).default(2990),
  TRACKER_DATA: z.string().default('.data/tracker'),
  ADDON_URL: z
    .string()
    .default('http://127.0.0.1:3000')
    .transform(value => value.split(/\s+/).filter(Boolean))
    .pipe(z.array(z.url()).min(1)),
  PAGE_DIR: z.string().min(1).default('dist/tracker/page'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export interface Config {
  port: number;
  /** Folder in which the tracker's data lasts; `undefined`, of an empty `TRACKER_DATA`, keeps it in memory. */
  data: string | undefined;
  /** Where the add-ons' descriptors are fetched, without a trailing slash. */
  addonUrls: readonly string[];
  /** Folder of the built page. */
  pageDir: string;
  logLevel: string;
}

/** Reads the environment; throws a readable error for what it cannot use. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const parsed = shape.safeParse(env);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const { TRACKER_PORT, TRACKER_DATA, ADDON_URL, PAGE_DIR, LOG_LEVEL } = parsed.data;
  return {
    port: TRACKER_PORT,
    data: TRACKER_DATA === '' ? undefined : resolve(TRACKER_DATA),
    addonUrls: ADDON_URL.map(url => url.replace(/\/+$/, '')),
    pageDir: resolve(PAGE_DIR),
    logLevel: LOG_LEVEL,
  };
}
