import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { features } from '../../../domain/constants.ts';
import { parseAs } from '../../../domain/shape.ts';
import { usualRetention } from '../../checklists/commit/retention.ts';
import { usualLimits } from '../../store/open.ts';
import { DEFAULT_RETENTION_DAYS } from '../../store/removal.ts';
import { createVault, keyInFolder, type Vault } from '../../store/vault.ts';
import {
  address,
  days,
  encryptionKey,
  forgeApp,
  framer,
  hosts,
  milliseconds,
  origin,
  postgres,
  proxy,
  service,
  siteHost,
  wholeNumber,
  words,
} from './values.ts';

/** A connection of a proxy or browser stays open for this time without a request. */
const DEFAULT_KEEP_ALIVE_MS = 72_000;
/** Origins of Forge apps' pages: each deployment has its own. */
const FORGE_PAGE_ORIGIN = /^https:\/\/[a-z0-9-]+\.cdn\.prod\.atlassian-dev\.net$/;
/** The largest number of the database's columns. */
const MAX_DATABASE_INTEGER = 2_147_483_647;

const shape = v.pipe(
  v.object({
    PORT: v.optional(wholeNumber('a port', 0, 65_535), '3000'),
    HOST: v.optional(v.string(), '127.0.0.1'),
    BASE_URL: v.optional(address, 'http://127.0.0.1:3000'),
    DATABASE_URL: v.optional(postgres),
    DATABASE_DIRECT_URL: v.optional(postgres),
    DATA_DIR: v.optional(v.string(), '.data/addon'),
    HOST_SCRIPT_URL: v.optional(service, 'https://connect-cdn.atl-paas.net/all.js'),
    INSTALL_KEYS_URL: v.optional(address, 'https://connect-install-keys.atlassian.com'),
    FRAME_ANCESTORS: v.optional(v.pipe(words, v.array(framer)), 'https://*.atlassian.net https://*.jira.com'),
    TENANT_HOSTS: v.optional(v.pipe(words, v.array(hosts)), '*.atlassian.net *.jira.com'),
    DATABASE_CONNECTIONS: v.optional(wholeNumber('a number', 2, 1_000), String(usualLimits.connections)),
    DATABASE_CONNECT_TIMEOUT: v.optional(milliseconds, String(usualLimits.connectTimeout)),
    DATABASE_STATEMENT_TIMEOUT: v.optional(milliseconds, String(usualLimits.statementTimeout)),
    KEEP_ALIVE: v.optional(milliseconds, String(DEFAULT_KEEP_ALIVE_MS)),
    ENCRYPTION_KEY: v.optional(encryptionKey),
    ENCRYPTION_KEYS_OLD: v.optional(v.pipe(words, v.array(encryptionKey)), ''),
    CLIENT_DIR: v.optional(v.string(), 'dist/client'),
    ASSETS_DIR: v.optional(v.string()),
    FORGE_APP_ID: v.optional(forgeApp),
    FORGE_ENVIRONMENT: v.optional(v.picklist(['PRODUCTION', 'STAGING', 'DEVELOPMENT']), 'PRODUCTION'),
    FORGE_JWKS_URL: v.optional(service, 'https://forge.cdn.prod.atlassian-dev.net/.well-known/jwks.json'),
    FORGE_GATEWAY: v.optional(address, 'https://api.atlassian.com'),
    FORGE_ORIGINS: v.pipe(
      v.optional(v.nullable(v.pipe(words, v.array(origin))), null),
      v.transform((origins): (string | RegExp)[] => origins ?? [FORGE_PAGE_ORIGIN]),
    ),
    FORGE_ASK: v.optional(v.picklist(['asker', 'app']), 'asker'),
    FORGE_PAST: v.optional(v.picklist(['connect', 'none']), 'connect'),
    FORGE_PROBE: v.optional(v.pipe(v.string(), v.minLength(16, 'must have 16 characters or more'))),
    WEBHOOK_HOSTS: v.optional(v.pipe(words, v.array(siteHost)), ''),
    TRUST_PROXY: v.optional(v.pipe(words, v.array(proxy)), ''),
    FEATURE_FLAGS: v.optional(
      v.pipe(words, v.array(v.picklist(features, `must be names of features, of ${features.join(', ')}`))),
      features.join(' '),
    ),
    ANALYTICS_URL: v.optional(service),
    QUOTA_POINTS: v.optional(wholeNumber('points', 1, MAX_DATABASE_INTEGER)),
    REVISION_DAYS: v.optional(days, String(usualRetention.days)),
    REVISION_COUNT: v.optional(wholeNumber('versions', 1, MAX_DATABASE_INTEGER), String(usualRetention.count)),
    KEEP_UNINSTALLED_DAYS: v.optional(days, String(DEFAULT_RETENTION_DAYS)),
    LOG_LEVEL: v.optional(v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  }),
  v.forward(
    v.check(
      env => !env.DATABASE_URL || env.ENCRYPTION_KEY !== undefined,
      'is required with DATABASE_URL: processes that share a database must share the key',
    ),
    ['ENCRYPTION_KEY'],
  ),
  v.forward(
    v.check(
      env => env.ENCRYPTION_KEYS_OLD.length === 0 || env.ENCRYPTION_KEY !== undefined,
      'are keys before ENCRYPTION_KEY: without that there is none',
    ),
    ['ENCRYPTION_KEYS_OLD'],
  ),
  v.forward(
    v.check(
      env => !env.DATABASE_DIRECT_URL || env.DATABASE_URL !== undefined,
      'is the way past the pooler that DATABASE_URL names: without that there is none',
    ),
    ['DATABASE_DIRECT_URL'],
  ),
);

/** Settings of the server, from environment variables. */
export type Config = v.InferOutput<typeof shape>;

/** Location of the store, and the limits of its connections. */
export const storeOf = (config: Config) => ({
  databaseUrl: config.DATABASE_URL,
  directUrl: config.DATABASE_DIRECT_URL,
  folder: config.DATA_DIR,
  limits: {
    connections: config.DATABASE_CONNECTIONS,
    connectTimeout: config.DATABASE_CONNECT_TIMEOUT,
    statementTimeout: config.DATABASE_STATEMENT_TIMEOUT,
  },
});

/** The vault of a server: its keys are configured, or kept in the data folder. */
export const openVault = async ({ ENCRYPTION_KEY, ENCRYPTION_KEYS_OLD, DATA_DIR }: Config): Promise<Vault> =>
  createVault(ENCRYPTION_KEY ?? (await keyInFolder(DATA_DIR)), ENCRYPTION_KEYS_OLD);

/** Thrown for invalid environment variables; the message lists them, one per line. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}

/** Rejects with `BadConfig` if the folder of the built pages has no page: all of them would open blank. */
export async function assertClient({ CLIENT_DIR }: Config): Promise<void> {
  await access(join(CLIENT_DIR, 'index.html')).catch(error => {
    throw new BadConfig(`CLIENT_DIR: there are no built pages (${error.message})`);
  });
}

/** A problem in a line of its own: the variable, and the rule for its value. */
const lineOf = (issue: v.BaseIssue<unknown>): string => `${issue.path?.[0]?.key ?? 'Settings'}: ${issue.message}`;

/** Reads the environment. Blanks around a value do not count, and a variable without a value counts as unset. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const setVariables = Object.entries(env).flatMap(([name, value = '']) =>
    value.trim() === '' ? [] : [[name, value.trim()]],
  );
  return parseAs(
    shape,
    Object.fromEntries(setVariables),
    (_, issues) => new BadConfig([...new Set(issues.map(lineOf))].join('\n')),
  );
}
