import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { edition } from '../domain/edition.ts';
import { integerText, parseAs } from '../domain/shape.ts';
import type { ForgeOptions } from './forge/platform.ts';
import type { QuotaLimit } from './wire/quota.ts';

export const port = v.pipe(integerText, v.minValue(1), v.maxValue(65_535));

const shape = v.object({
  TRACKER_PORT: v.optional(port, 2990),
  TRACKER_SECOND_PORT: v.optional(v.union([v.literal(''), port]), ''),
  TRACKER_QUOTA: v.optional(v.union([v.literal(''), v.pipe(integerText, v.minValue(1))]), ''),
  TRACKER_QUOTA_SECONDS: v.optional(v.pipe(integerText, v.minValue(1)), 3_600),
  TRACKER_QUOTA_BETA: v.optional(v.picklist(['true', 'false']), 'false'),
  TRACKER_DATA: v.optional(v.string(), '.data/tracker'),
  ADDON_URL: v.pipe(
    v.optional(v.string(), 'http://127.0.0.1:3000'),
    v.transform(value => value.split(/\s+/).filter(Boolean)),
    v.pipe(v.array(v.pipe(v.string(), v.url())), v.minLength(1)),
  ),
  PAGE_DIR: v.optional(v.pipe(v.string(), v.minLength(1)), 'dist/tracker/page'),
  /** The app's uuid, or its whole identifier. */
  FORGE_APP_ID: v.pipe(
    v.optional(v.string(), ''),
    v.transform(value => value.replace(/^ari:cloud:ecosystem::app\//, '')),
    v.union([v.literal(''), v.pipe(v.string(), v.uuid())]),
  ),
  FORGE_ENVIRONMENT: v.optional(v.picklist(['PRODUCTION', 'STAGING', 'DEVELOPMENT']), 'PRODUCTION'),
  FORGE_DIST: v.optional(v.pipe(v.string(), v.minLength(1)), 'dist/forge'),
  FORGE_MANIFEST: v.optional(v.string(), ''),
  FORGE_RESOURCE_PORT: v.optional(port, 2992),
  LOG_LEVEL: v.optional(v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
});

export interface Config {
  port: number;
  /** Port of a second site; none unless `TRACKER_SECOND_PORT` is given. */
  secondPort: number | undefined;
  /** Folder of the tracker's data; `undefined`, of an empty `TRACKER_DATA`, keeps it in memory. */
  data: string | undefined;
  /** The addresses from which the add-ons' descriptors are fetched, without a trailing slash. */
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
  const environment = parseAs(shape, env);
  const { TRACKER_PORT, TRACKER_SECOND_PORT, TRACKER_DATA, ADDON_URL, PAGE_DIR, LOG_LEVEL } = environment;
  const { TRACKER_QUOTA, TRACKER_QUOTA_SECONDS, TRACKER_QUOTA_BETA } = environment;
  return {
    port: TRACKER_PORT,
    secondPort: TRACKER_SECOND_PORT || undefined,
    data: TRACKER_DATA === '' ? undefined : resolve(TRACKER_DATA),
    addonUrls: ADDON_URL.map(url => url.replace(/\/+$/, '')),
    forge: forgeOf(environment),
    pageDir: resolve(PAGE_DIR),
    logLevel: LOG_LEVEL,
    quota: TRACKER_QUOTA
      ? { points: TRACKER_QUOTA, seconds: TRACKER_QUOTA_SECONDS, beta: TRACKER_QUOTA_BETA === 'true' }
      : undefined,
  };
}

function forgeOf(env: v.InferOutput<typeof shape>): ForgeOptions | undefined {
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
