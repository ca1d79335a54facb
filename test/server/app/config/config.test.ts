import { describe, expect, test } from 'vitest';
import { BadConfig, readConfig } from '../../../../src/server/app/config/config.ts';

const KEY = Buffer.alloc(32).toString('base64');

test('an empty environment is valid', () => {
  expect(readConfig({ PORT: '' })).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    BASE_URL: 'http://127.0.0.1:3000',
    DATA_DIR: '.data/addon',
    HOST_SCRIPT_URL: 'https://connect-cdn.atl-paas.net/all.js',
    FRAME_ANCESTORS: ['https://*.atlassian.net', 'https://*.jira.com'],
    TENANT_HOSTS: ['*.atlassian.net', '*.jira.com'],
    LOG_LEVEL: 'info',
  });
});

test('values are parsed into the types in use', () => {
  const config = readConfig({
    PORT: '3001',
    BASE_URL: 'https://addon.example/base/',
    TENANT_HOSTS: ' a.example  b.example ',
    TRUST_PROXY: '127.0.0.1 10.0.0.0/8 fd00::/8 loopback',
    DATABASE_URL: 'postgres://u@h/db',
    ENCRYPTION_KEY: KEY,
    QUOTA_POINTS: '130000',
  });
  expect(config).toMatchObject({
    PORT: 3001,
    QUOTA_POINTS: 130_000,
    BASE_URL: 'https://addon.example/base',
    TENANT_HOSTS: ['a.example', 'b.example'],
    TRUST_PROXY: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8', 'loopback'],
  });
  expect(config.ENCRYPTION_KEY).toEqual(new Uint8Array(32));
});

test('a Forge app can be named in two ways, and is optional', () => {
  const uuid = '11111111-2222-4333-8444-555555555555';
  expect(readConfig({}).FORGE_APP_ID).toBeUndefined();
  for (const FORGE_APP_ID of [uuid, `ari:cloud:ecosystem::app/${uuid}`]) {
    expect(readConfig({ FORGE_APP_ID })).toMatchObject({
      FORGE_APP_ID: `ari:cloud:ecosystem::app/${uuid}`,
      FORGE_ENVIRONMENT: 'PRODUCTION',
      FORGE_GATEWAY: 'https://api.atlassian.com',
      FORGE_ASK: 'asker',
      FORGE_PAST: 'connect',
    });
  }
  expect(readConfig({ FORGE_ORIGINS: 'http://localhost:4100 https://a.example' }).FORGE_ORIGINS).toEqual([
    ...['http://localhost:4100', 'https://a.example'],
  ]);
});

test('blanks around a value do not count, and blanks alone count as unset', () => {
  expect(readConfig({ PORT: ' ', LOG_LEVEL: 'warn ', ENCRYPTION_KEY: ` ${KEY}\t` })).toMatchObject({
    PORT: 3000,
    LOG_LEVEL: 'warn',
    ENCRYPTION_KEY: new Uint8Array(32),
  });
});

test('each wrong setting has a line of its own', () => {
  expect(() => readConfig({ PORT: 'x', KEEP_ALIVE: '72s' })).toThrow(/^PORT: .+\nKEEP_ALIVE: .+$/);
});

test('the address of the analytics service is used unchanged', () => {
  for (const ANALYTICS_URL of ['https://count.example/events/', 'https://count.example/?key=abc/']) {
    expect(readConfig({ ANALYTICS_URL }).ANALYTICS_URL).toBe(ANALYTICS_URL);
  }
});

describe('invalid values are refused by name', () => {
  test.each([
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '3e3' }],
    ['BASE_URL', { BASE_URL: 'https://addon.example/?page=1' }],
    ['BASE_URL', { BASE_URL: 'https://user:secret@addon.example' }],
    ['HOST_SCRIPT_URL', { HOST_SCRIPT_URL: '/all.js' }],
    // Commas and quotes would end a directive of the pages' policy, and take the other directives with it.
    ['FRAME_ANCESTORS', { FRAME_ANCESTORS: 'https://a.example,https://b.example' }],
    ['FRAME_ANCESTORS', { FRAME_ANCESTORS: "'none'; script-src *" }],
    // Would fit no host, and no site could install the app.
    ['TENANT_HOSTS', { TENANT_HOSTS: 'https://a.example' }],
    ['TENANT_HOSTS', { TENANT_HOSTS: '*.a.example,*.b.example' }],
    ['WEBHOOK_HOSTS', { WEBHOOK_HOSTS: 'http://10.0.0.1' }],
    // Of which site?
    ['WEBHOOK_HOSTS', { WEBHOOK_HOSTS: '10.0.0.1:8080' }],
    ['WEBHOOK_HOSTS', { WEBHOOK_HOSTS: '*.a.example=10.0.0.1' }],
    ['QUOTA_POINTS', { QUOTA_POINTS: '65,000' }],
    // Beyond the dates of the database.
    ['REVISION_DAYS', { REVISION_DAYS: '99999999' }],
    ['REVISION_COUNT', { REVISION_COUNT: '9007199254740991' }],
    ['KEEP_UNINSTALLED_DAYS', { KEEP_UNINSTALLED_DAYS: '30d' }],
    ['BASE_URL', { BASE_URL: 'addon.example' }],
    ['BASE_URL', { BASE_URL: 'ftp://addon.example' }],
    ['ENCRYPTION_KEY', { ENCRYPTION_KEY: 'c2hvcnQ=' }],
    ['ENCRYPTION_KEY', { ENCRYPTION_KEY: 'not base64!' }],
    ['ENCRYPTION_KEY', { DATABASE_URL: 'postgres://u@h/db' }],
    ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'postgres://u@h/db' }],
    ['DATABASE_CONNECTIONS', { DATABASE_CONNECTIONS: '1' }],
    ['DATABASE_STATEMENT_TIMEOUT', { DATABASE_STATEMENT_TIMEOUT: '10s' }],
    ['KEEP_ALIVE', { KEEP_ALIVE: '0' }],
    ['ENCRYPTION_KEYS_OLD', { ENCRYPTION_KEYS_OLD: KEY }],
    ['ENCRYPTION_KEYS_OLD', { ENCRYPTION_KEYS_OLD: `${KEY} short`, ENCRYPTION_KEY: KEY }],
    ['DATABASE_DIRECT_URL', { DATABASE_URL: 'postgres://u@h/db', DATABASE_DIRECT_URL: 'h', ENCRYPTION_KEY: KEY }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://u@h/db', ENCRYPTION_KEY: KEY }],
    ['TRUST_PROXY', { TRUST_PROXY: 'proxy.example' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/40' }],
    ['FORGE_APP_ID', { FORGE_APP_ID: 'our-app' }],
    ['FORGE_ENVIRONMENT', { FORGE_ENVIRONMENT: 'production' }],
    ['FORGE_PAST', { FORGE_PAST: 'yes' }],
    ['FORGE_ORIGINS', { FORGE_ORIGINS: 'https://a.example/path' }],
    ['FORGE_ASK', { FORGE_ASK: 'user' }],
    // It is a secret.
    ['FORGE_PROBE', { FORGE_PROBE: '1' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['ANALYTICS_URL', { ANALYTICS_URL: 'file:///etc/passwd' }],
    // Cannot be called: every event would be lost.
    ['ANALYTICS_URL', { ANALYTICS_URL: 'https://user:secret@count.example/' }],
  ])('%s in %j', (name, env) => {
    expect(() => readConfig(env)).toThrow(BadConfig);
    expect(() => readConfig(env)).toThrow(name);
    expect(() => readConfig(env)).not.toThrow('secret');
    // One line: the variable, and what it must be.
    expect(() => readConfig(env)).toThrow(/^[A-Z_]+: .+$/);
  });
});
