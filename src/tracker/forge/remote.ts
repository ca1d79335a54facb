import { randomBytes } from 'node:crypto';
import { type AddonAnswer, ask } from '../connect/http.ts';
import { appAri, environmentAri, installationAri } from './identifiers.ts';
import type { Installed } from './installation.ts';
import type { ForgePlatform } from './platform.ts';

/** A call of the platform to the app's server. */
export interface Invocation {
  /** Key of the endpoint, which decides the tokens. */
  endpoint: string;
  /** The calling module. */
  module: { type: string; key: string };
  method: string;
  /** Below the remote's address. */
  path: string;
  headers?: Record<string, string>;
  body?: string | undefined;
  /** The frame's user; none for events. */
  account?: string | undefined;
  /** The frame's context. */
  context?: Record<string, unknown> | undefined;
  seconds: number;
}

/** Throws `AddonUnreachable`. */
export async function callRemote(
  platform: ForgePlatform,
  installed: Installed,
  { endpoint, module, method, path, headers, body, account, context, seconds }: Invocation,
): Promise<AddonAnswer> {
  const { manifest, remoteUrl, tokens, key, appId } = platform;
  const { scopes } = manifest.permissions;
  const auth = manifest.modules.endpoint.find(each => each.key === endpoint)?.auth ?? {};
  const grant = { cloudId: installed.cloudId, installation: installed.installation, offline: false };
  const system = auth.appSystemToken?.enabled && scopes.has('read:app-system-token');
  const user = auth.appUserToken?.enabled && scopes.has('read:app-user-token') && account !== undefined;
  const padding = 'x'.repeat(platform.settings.contextChars);
  const invocationToken = await key.sign(appAri(appId), {
    app: claims(platform, installed, module),
    ...(account !== undefined && { principal: account }),
    ...(context && { context: { ...context, ...(padding && { configuration: padding }) } }),
  });
  return ask(
    `${remoteUrl}${path}`,
    {
      method,
      ...(body !== undefined && { body }),
      headers: {
        ...headers,
        authorization: `Bearer ${invocationToken}`,
        'x-b3-traceid': randomBytes(8).toString('hex'),
        'x-b3-spanid': randomBytes(8).toString('hex'),
        ...(system && { 'x-forge-oauth-system': (await tokens.issue(grant)).token }),
        ...(user && { 'x-forge-oauth-user': (await tokens.issue({ ...grant, account })).token }),
      },
    },
    seconds * 1_000,
  );
}

/** The token's claim `app` (Forge, "Remote essentials"). The licence is in it in production only. */
function claims(platform: ForgePlatform, { cloudId, installation, version }: Installed, module: object) {
  const { appId, environment, manifest, settings } = platform;
  const apiBaseUrl = apiBase(platform, cloudId);
  const isSold = manifest.app.licensing.enabled && environment.type === 'PRODUCTION';
  const license = isSold ? { active: settings.isLicensed, type: 'commercial' } : undefined;
  const id = installationAri(installation);
  return {
    id: appAri(appId),
    version: String(version),
    installationId: id,
    apiBaseUrl,
    environment: { type: environment.type, id: environmentAri(appId, environment.id) },
    module,
    installation: {
      id,
      contexts: [{ name: 'jira', url: apiBaseUrl, apiBaseUrl, cloudId, appVersion: String(version), license }],
    },
    ...(license && { license }),
  };
}

/** The site's REST API address for the app's server. */
export const apiBase = ({ gateway }: ForgePlatform, cloudId: string): string => `${gateway}/ex/jira/${cloudId}`;
