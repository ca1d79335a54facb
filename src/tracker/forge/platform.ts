import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { edition } from '../../domain/edition.ts';
import { manifestText } from '../../platform/text.ts';
import { type App, accountOf, connectKey, INACCESSIBLE } from '../apps.ts';
import type { Store } from '../store.ts';
import type { HostForge } from '../wire/forge.ts';
import { environmentAri, extensionAri } from './identifiers.ts';
import type { ForgeApp } from './installation.ts';
import { type InvocationKey, openInvocationKey } from './keys.ts';
import { type Manifest, manifestOf, readManifest } from './manifest.ts';
import { oauthScope } from './scopes.ts';
import { openTokens, type Tokens } from './tokens.ts';

/** The app and the addresses of its parts. */
export interface ForgeOptions {
  /** The app's uuid. */
  appId: string;
  environment: 'PRODUCTION' | 'STAGING' | 'DEVELOPMENT';
  /** Path of another manifest than the product's own, which also covers the Connect modules. */
  manifest?: string | undefined;
  /** Values of the manifest's variables. */
  variables: Readonly<Record<string, string>>;
  /** Folder of the built pages. */
  dist: string;
  /** Port of the network that serves them. */
  resourcePort: number;
}

/** The vendor's side of Forge, the same for all sites: one app, its keys and tokens. */
export interface ForgePlatform {
  appId: string;
  name: string;
  manifest: Manifest;
  /** Changes with the manifest. */
  digest: string;
  /** Address of the app's server, without a trailing slash. */
  remoteUrl: string;
  environment: { type: string; id: string };
  /** Address below which the REST APIs of all sites are, without a trailing slash. */
  gateway: string;
  resourceOrigin: string;
  key: InvocationKey;
  tokens: Tokens;
  settings: HostForge;
  /** By cloud id. */
  sites: Map<string, { server: FastifyInstance; app: ForgeApp }>;
  now(): number;
}

/** Four hours. */
const TOKEN_LIFE_SECONDS = 14_400;
const INVOCATION_SECONDS = 25;

const platformShape = v.object({ environmentId: v.pipe(v.string(), v.uuid()) });

/** As made by `npm run manifest -- --past connect`: one app by both frameworks. */
const ownManifest = (appId: string, remote: string): Manifest =>
  manifestOf(manifestText({ names: edition, past: 'connect', appId, remote, pages: '.', licensed: true }), {});

/** Throws `ManifestRefused`. */
export async function openForge(
  store: Store,
  { appId, environment, manifest: file, variables, resourcePort }: ForgeOptions,
  { url, remoteUrl, now = Date.now }: { url: string; remoteUrl: string; now?: (() => number) | undefined },
): Promise<ForgePlatform> {
  const manifest = file === undefined ? ownManifest(appId, remoteUrl) : await readManifest(file, variables);
  const storedPlatforms = store.collection('forge-platform', platformShape);
  const { environmentId } = storedPlatforms.get('current') ?? { environmentId: randomUUID() };
  await storedPlatforms.put('current', { environmentId });
  const settings: HostForge = {
    tokenSeconds: TOKEN_LIFE_SECONDS,
    invokeSeconds: INVOCATION_SECONDS,
    eventDelayMs: 0,
    isLicensed: true,
    isPermitted: true,
    contextChars: 0,
    replacesRules: true,
    closedAccounts: [],
    updatedAccounts: [],
    reportDays: 7,
    fieldMoves: {},
  };
  return {
    appId,
    name: manifest.modules['jira:adminPage'][0]?.title ?? appId,
    manifest,
    digest: createHash('sha256').update(JSON.stringify(manifest)).digest('hex'),
    remoteUrl,
    environment: { type: environment, id: environmentId },
    gateway: `${url}/forge-gateway`,
    resourceOrigin: `http://localhost:${resourcePort}`,
    key: await openInvocationKey(store),
    tokens: openTokens(store, () => settings.tokenSeconds, now),
    settings,
    sites: new Map(),
    now,
  };
}

/** The app's key at the site: the add-on's with a Connect past. */
export const keyOf = ({ manifest, appId }: ForgePlatform): string => manifest.app.connect?.key ?? appId;

/** The key of a module's data: the add-on's if it came from Connect. */
export function broughtKey(platform: ForgePlatform, module: { key: string; migratedFromConnect: boolean }): string {
  const { connect } = platform.manifest.app;
  return connect && module.migratedFromConnect
    ? connectKey(connect.key, module.key)
    : extensionAri(platform.appId, platform.environment.id, module.key);
}

export const environmentIdentifier = ({ appId, environment }: ForgePlatform): string =>
  environmentAri(appId, environment.id);

/** The app for the REST API, with all of its scopes or some. */
export function forgeApp(platform: ForgePlatform, scopes: readonly string[]): App {
  const { manifest, settings } = platform;
  const { modules } = manifest;
  const fields = modules['jira:customField'].map(module => broughtKey(platform, module));
  const key = keyOf(platform);
  return {
    key,
    name: platform.name,
    account: accountOf(key),
    grants: (scope, oauth = scope === INACCESSIBLE ? undefined : oauthScope[scope]) =>
      oauth !== undefined && scopes.includes(oauth),
    isPermitted: () => settings.isPermitted,
    permissions: modules['jira:projectPermission'].map(module => ({ ...module, key: broughtKey(platform, module) })),
    aliases: modules['jira:entityProperty'].flatMap(({ propertyKey, values }) =>
      values.map(({ path, searchAlias, type }) => ({ propertyKey, path, alias: searchAlias, type })),
    ),
    brings: fieldKey => fields.includes(fieldKey),
  };
}

export const allScopes = ({ manifest }: ForgePlatform): string[] => [...manifest.permissions.scopes.keys()];

/** Scopes for impersonating an absent user. */
export const offlineScopes = ({ manifest }: ForgePlatform): string[] =>
  [...manifest.permissions.scopes].flatMap(([name, { allowImpersonation }]) => (allowImpersonation ? name : []));
