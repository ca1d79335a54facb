import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { edition } from '../domain/edition.ts';
import type { ForgeOptions } from './forge/platform.ts';
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
  /** The app's uuid, or its whole identifier. */
  FORGE_APP_ID: z
    .string()
    .default('')
    .transform(value => value.replace(/^ari:cloud:ecosystem::app\//, ''))
    .pipe(z.union([z.literal(''), z.uuid()])),
  FORGE_ENVIRONMENT: z.enum(['PRODUCTION', 'STAGING', 'DEVELOPMENT']).default('PRODUCTION'),
  FORGE_DIST: z.string().min(1).default('dist/forge'),
  FORGE_MANIFEST: z.string().default(''),
  FORGE_RESOURCE_PORT: port.default(2992),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export interface Config {
  port: number;
  /** Port of a second site; none unless `TRACKER_SECOND_PORT` is given. */
  secondPort: number | undefined;
  /** Folder of the tracker's data; `undefined`, of an empty `TRACKER_DATA`, keeps it in memory. */
  data: string | undefined;
  /** Where the add-ons' descriptors are fetched, without a trailing slash. */
  addonUrls: readonly string[];
  /** The first add-on's app of Forge; none unless `FORGE_APP_ID` is given and its pages are built. */
  forge: ForgeOptions | undefined;
  /** Folder of the built page. */
  pageDir: string;
  logLevel: string;
  /** Quota of each app; unlimited unless `TRACKER_QUOTA` is given. */
  quota: QuotaLimit | undefined;
}

/** Reads the environment; throws a readable error for an invalid value. */
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
    forge: forgeOf(parsed.data),
    pageDir: resolve(PAGE_DIR),
    logLevel: LOG_LEVEL,
    quota: TRACKER_QUOTA
      ? { points: TRACKER_QUOTA, seconds: TRACKER_QUOTA_SECONDS, beta: TRACKER_QUOTA_BETA === 'true' }
      : undefined,
  };
}

function forgeOf(env: z.infer<typeof shape>): ForgeOptions | undefined {
  const dist = resolve(env.FORGE_DIST);
  if (env.FORGE_APP_ID === '' || !existsSync(join(dist, 'index.html'))) return undefined;
  return {
    appId: env.FORGE_APP_ID,
    environment: env.FORGE_ENVIRONMENT,
    manifest: env.FORGE_MANIFEST === '' ? undefined : resolve(env.FORGE_MANIFEST),
    variables: {
      APP_ID: env.FORGE_APP_ID,
      ADDON_KEY: edition.key,
      NAME: edition.name,
      LOGO: edition.logo,
      REMOTE_URL: env.ADDON_URL[0] ?? '',
    },
    dist,
    resourcePort: env.FORGE_RESOURCE_PORT,
  };
}
