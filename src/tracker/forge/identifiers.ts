/** The vendor's identifiers (ARIs) of a Forge app, by uuid. */

const ECOSYSTEM_PREFIX = 'ari:cloud:ecosystem::';

export const appAri = (appId: string): string => `${ECOSYSTEM_PREFIX}app/${appId}`;
export const environmentAri = (appId: string, environmentId: string): string =>
  `${ECOSYSTEM_PREFIX}environment/${appId}/${environmentId}`;
export const installationAri = (installationId: string): string => `${ECOSYSTEM_PREFIX}installation/${installationId}`;
/** Of a module: what its permissions and fields are known by, and what pins its panels. */
export const extensionAri = (appId: string, environmentId: string, moduleKey: string): string =>
  `${ECOSYSTEM_PREFIX}extension/${appId}/${environmentId}/static/${moduleKey}`;
export const siteAri = (cloudId: string): string => `ari:cloud:jira::site/${cloudId}`;
