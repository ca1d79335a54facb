import { isIP } from 'node:net';
import * as v from 'valibot';
import { integerText, parseAs, webUrl } from '../domain/shape.ts';
import { usualRetention } from './checklists/retention.ts';
import { usualLimits } from './store/open.ts';
import { USUAL_KEEPING } from './store/removal.ts';
import { createVault, KEY_BYTES, keyInFolder, type Vault } from './store/vault.ts';

const words = v.pipe(
  v.string(),
  v.transform(value => value.split(/\s+/).filter(Boolean)),
);
const address = v.pipe(
  webUrl,
  v.transform(value => value.replace(/\/+$/, '')),
);

/** URL of an external service, used unchanged: a trailing slash or a query may be significant. */
const service = v.pipe(
  webUrl,
  v.check(
    value => !/^[^/?#]*\/\/[^/?#]*@/.test(value),
    'holds a user or password: a key belongs into its path or query',
  ),
);

const encryptionKey = v.pipe(
  v.string(),
  v.base64(),
  v.transform(value => new Uint8Array(Buffer.from(value, 'base64'))),
  v.check(key => key.length === KEY_BYTES, `must be ${KEY_BYTES} bytes in base64`),
);

/** Milliseconds, from a tenth of a second to ten minutes. */
const milliseconds = v.pipe(integerText, v.minValue(100), v.maxValue(600_000));
/** Milliseconds for which a connection of a proxy or browser stays open without a request. */
const USUAL_KEEP_ALIVE = 72_000;

/** A Forge app's UUID or ARI, parsed to the ARI. */
const forgeApp = v.pipe(
  v.string(),
  v.transform(value => value.replace(/^ari:cloud:ecosystem::app\//, '')),
  v.uuid(),
  v.transform(uuid => `ari:cloud:ecosystem::app/${uuid.toLowerCase()}`),
);

/** Origins of Forge apps' pages: each deployment has its own. */
const FORGE_PAGES = /^https:\/\/[a-z0-9-]+\.cdn\.prod\.atlassian-dev\.net$/;
const origin = v.pipe(
  webUrl,
  v.check(value => URL.canParse(value) && new URL(value).origin === value, 'is no origin'),
);

const postgres = v.pipe(
  v.string(),
  v.trim(),
  v.check(value => /^postgres(ql)?:/i.test(value) && URL.canParse(value), 'is no address of a PostgreSQL database'),
);

/** Proxies whose forwarding headers are trusted: addresses, networks, or names for several of them. */
const proxy = v.union([
  v.picklist(['loopback', 'linklocal', 'uniquelocal']),
  v.pipe(v.string(), v.check(isNetwork, 'is no address and no network')),
]);

/** An address, or a network as address and length of its prefix. */
function isNetwork(value: string): boolean {
  const [, address = '', prefix = '0'] = /^([^%/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(value) ?? [];
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  return bits !== undefined && Number(prefix) <= bits;
}

const shape = v.pipe(
  v.object({
    PORT: v.optional(v.pipe(integerText, v.minValue(0), v.maxValue(65_535)), 3000),
    HOST: v.optional(v.string(), '127.0.0.1'),
    BASE_URL: v.optional(address, 'http://127.0.0.1:3000'),
    DATABASE_URL: v.optional(postgres),
    DATABASE_DIRECT_URL: v.optional(postgres),
    DATA_DIR: v.optional(v.string(), '.data/addon'),
    HOST_SCRIPT_URL: v.optional(address, 'https://connect-cdn.atl-paas.net/all.js'),
    INSTALL_KEYS_URL: v.optional(address, 'https://connect-install-keys.atlassian.com'),
    FRAME_ANCESTORS: v.optional(words, 'https://*.atlassian.net https://*.jira.com'),
    TENANT_HOSTS: v.optional(words, '*.atlassian.net *.jira.com'),
    DATABASE_CONNECTIONS: v.optional(v.pipe(integerText, v.minValue(2), v.maxValue(1_000)), usualLimits.connections),
    DATABASE_CONNECT_TIMEOUT: v.optional(milliseconds, usualLimits.connectTimeout),
    DATABASE_STATEMENT_TIMEOUT: v.optional(milliseconds, usualLimits.statementTimeout),
    KEEP_ALIVE: v.optional(milliseconds, USUAL_KEEP_ALIVE),
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
      v.transform((origins): (string | RegExp)[] => origins ?? [FORGE_PAGES]),
    ),
    FORGE_ASK: v.optional(v.picklist(['asker', 'app']), 'asker'),
    FORGE_PAST: v.optional(v.picklist(['connect', 'none']), 'connect'),
    FORGE_PROBE: v.optional(v.pipe(v.string(), v.minLength(16))),
    WEBHOOK_HOSTS: v.optional(words, ''),
    TRUST_PROXY: v.optional(v.pipe(words, v.array(proxy)), ''),
    FEATURE_FLAGS: v.optional(words, ''),
    ANALYTICS_URL: v.optional(service),
    QUOTA_POINTS: v.optional(v.pipe(integerText, v.minValue(1))),
    REVISION_DAYS: v.optional(v.pipe(integerText, v.minValue(1)), usualRetention.days),
    REVISION_COUNT: v.optional(v.pipe(integerText, v.minValue(1)), usualRetention.count),
    KEEP_UNINSTALLED_DAYS: v.optional(v.pipe(integerText, v.minValue(1)), USUAL_KEEPING),
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

/** Reads the environment. An empty variable counts as unset. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  return parseAs(shape, given, problem => new BadConfig(problem));
}
