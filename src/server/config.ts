import * as z from 'zod';
import { usualRetention } from './checklists/retention.ts';
import { KEY_BYTES } from './store/vault.ts';

const words = z.string().transform(value => value.split(/\s+/).filter(Boolean));
const address = z.url({ protocol: /^https?$/ }).transform(value => value.replace(/\/+$/, ''));

/** URL of an external service, used unchanged: a trailing slash or a query may be significant. */
const service = z
  .url({ protocol: /^https?$/ })
  .refine(
    value => !/^[^/?#]*\/\/[^/?#]*@/.test(value),
    'holds a user or password: a key belongs into its path or query',
  );

const encryptionKey = z
  .base64()
  .transform(value => new Uint8Array(Buffer.from(value, 'base64')))
  .refine(key => key.length === KEY_BYTES, `must be ${KEY_BYTES} bytes in base64`);

/** A Forge app's UUID or ARI, parsed to the ARI. */
const forgeApp = z
  .string()
  .transform(value => value.replace(/^ari:cloud:ecosystem::app\//, ''))
  .pipe(z.uuid())
  .transform(uuid => `ari:cloud:ecosystem::app/${uuid.toLowerCase()}`);

/** Origins of Forge apps' pages: each deployment has its own. */
const FORGE_PAGES = /^https:\/\/[a-z0-9-]+\.cdn\.prod\.atlassian-dev\.net$/;
const origin = z.url({ protocol: /^https?$/ }).refine(value => new URL(value).origin === value, 'is no origin');

const postgres = z.url({ protocol: /^postgres(ql)?$/ });

/** Proxies whose forwarding headers are trusted: addresses, networks, or names for several of them. */
const proxy = z.union([z.enum(['loopback', 'linklocal', 'uniquelocal']), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const shape = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    HOST: z.string().default('127.0.0.1'),
    BASE_URL: address.default('http://127.0.0.1:3000'),
    DATABASE_URL: postgres.optional(),
    DATABASE_DIRECT_URL: postgres.optional(),
    DATA_DIR: z.string().default('.data/addon'),
    HOST_SCRIPT_URL: address.default('https://connect-cdn.atl-paas.net/all.js'),
    INSTALL_KEYS_URL: address.default('https://connect-install-keys.atlassian.com'),
    FRAME_ANCESTORS: words.default(['https://*.atlassian.net', 'https://*.jira.com']),
    TENANT_HOSTS: words.default(['*.atlassian.net', '*.jira.com']),
    ENCRYPTION_KEY: encryptionKey.optional(),
    CLIENT_DIR: z.string().default('dist/client'),
    FORGE_APP_ID: forgeApp.optional(),
    FORGE_ENVIRONMENT: z.enum(['PRODUCTION', 'STAGING', 'DEVELOPMENT']).default('PRODUCTION'),
    FORGE_JWKS_URL: service.default('https://forge.cdn.prod.atlassian-dev.net/.well-known/jwks.json'),
    FORGE_GATEWAY: address.default('https://api.atlassian.com'),
    FORGE_ORIGINS: words
      .pipe(z.array(origin))
      .transform((origins): (string | RegExp)[] => origins)
      .default([FORGE_PAGES]),
    FORGE_ASK: z.enum(['asker', 'app']).default('asker'),
    FORGE_PAST: z.enum(['connect', 'none']).default('connect'),
    FORGE_PROBE: z.string().min(16).optional(),
    TRUST_PROXY: words.pipe(z.array(proxy)).default([]),
    FEATURE_FLAGS: words.default([]),
    ANALYTICS_URL: service.optional(),
    QUOTA_POINTS: z.coerce.number().int().min(1).optional(),
    REVISION_DAYS: z.coerce.number().int().min(1).default(usualRetention.days),
    REVISION_COUNT: z.coerce.number().int().min(1).default(usualRetention.count),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .refine(env => !env.DATABASE_URL || env.ENCRYPTION_KEY, {
    path: ['ENCRYPTION_KEY'],
    message: 'is required with DATABASE_URL: processes that share a database must share the key',
  })
  .refine(env => !env.DATABASE_DIRECT_URL || env.DATABASE_URL, {
    path: ['DATABASE_DIRECT_URL'],
    message: 'is the way past the pooler that DATABASE_URL names: without that there is none',
  });

/** Settings of the server, from environment variables. */
export type Config = z.infer<typeof shape>;

/** Location of the store. */
export const storeOf = ({ DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: Config) => ({
  databaseUrl: DATABASE_URL,
  directUrl: DATABASE_DIRECT_URL,
  folder: DATA_DIR,
});

/** Thrown for invalid environment variables; the message lists them, one per line. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}

/** Reads the environment. An empty variable counts as unset. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = shape.safeParse(given);
  if (!parsed.success) throw new BadConfig(z.prettifyError(parsed.error));
  return parsed.data;
}
