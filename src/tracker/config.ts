import { resolve } from 'node:path';
import * as z from 'zod';
import type { QuotaLimit } from './wire.ts';

const port = z.coerce.number().int().min(1).max(65_535);

const shape = z.object({
  TRACKER_PORT: port.default(2990),
  TRACKER_SECOND_PORT: z.union([z.literal(''), port]).default(''),
  TRACKER_QUOTA: z.union([z.literal(''), z.coerce.number().int().min(1)]).default(''),
  TRACKER_QUOTA_SECONDS: z.coerce.number().int().min(1).default(3_600),
  TRACKER_QUOTA_BETA: z.enum(['true', 'false']).default('false'),
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
  /** Of a second site; none unless `TRACKER_SECOND_PORT` is given. */
  secondPort: number | undefined;
  /** Folder in which the tracker's data lasts; `undefined`, of an empty `TRACKER_DATA`, keeps it in memory. */
  data: string | undefined;
  /** Where the add-ons' descriptors are fetched, without a trailing slash. */
  addonUrls: readonly string[];
  /** Folder of the built page. */
  pageDir: string;
  logLevel: string;
  /** What each app may spend; no limit unless `TRACKER_QUOTA` is given. */
  quota: QuotaLimit | undefined;
}

/** Reads the environment; throws a readable error for what it cannot use. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const parsed = shape.safeParse(env);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const { TRACKER_PORT, TRACKER_SECOND_PORT, TRACKER_DATA, ADDON_URL, PAGE_DIR, LOG_LEVEL } = parsed.data;
  const { TRACKER_QUOTA, TRACKER_QUOTA_SECONDS, TRACKER_QUOTA_BETA } = parsed.data;
  return {
    port: TRACKER_PORT,
    secondPort: TRACKER_SECOND_PORT || undefined,
    data: TRACKER_DATA === '' ? undefined : resolve(TRACKER_DATA),
    addonUrls: ADDON_URL.map(url => url.replace(/\/+$/, '')),
    pageDir: resolve(PAGE_DIR),
    logLevel: LOG_LEVEL,
    quota: TRACKER_QUOTA
      ? { points: TRACKER_QUOTA, seconds: TRACKER_QUOTA_SECONDS, beta: TRACKER_QUOTA_BETA === 'true' }
      : undefined,
  };
}
