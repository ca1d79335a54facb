import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import type { HostBridge, HostContext } from '../bridge/bridge.ts';
import { permissionFlags, withoutLicense } from '../domain/permissions.ts';
import type { ProductSettings } from '../domain/token.ts';
import { anonymous, type User } from '../domain/user.ts';
import { isAnswer } from './errors.ts';
import type { GraphqlClient } from './graphql.ts';
import { graphql as document, operation } from './operation.ts';
import { getMyself } from './tracker/people.ts';
import { getGranted, type Scope } from './tracker/permissions.ts';

function scopeOf({ issueKey, projectKey }: HostContext): Scope {
  if (issueKey !== undefined) return { issueKey };
  return projectKey === undefined ? {} : { projectKey };
}

/**
 * Loads the user and their permissions here; anonymous if the tracker names no account. Rejects without an answer, which
 * says nothing about either.
 */
export async function loadUser(
  bridge: HostBridge,
  context: HostContext,
  {
    permissionSettings,
    permissionKeys,
    isLicensed,
  }: Omit<ProductSettings, 'gettingStartedTemplateId' | 'hasChecklist'>,
): Promise<User> {
  try {
    const [{ accountId, key = accountId, displayName }, granted, site] = await Promise.all([
      getMyself(bridge),
      getGranted(bridge, scopeOf(context), permissionKeys),
      bridge.hostUrl('/'),
    ]);
    const permitted = permissionFlags(granted, permissionSettings);
    const flags = isLicensed ? permitted : withoutLicense(permitted);
    return { id: accountId, key, name: displayName, domain: new URL(site).host, isAnonymous: false, ...flags };
  } catch (error) {
    if (isAnswer(error)) return anonymous;
    throw error;
  }
}

export const getFeatureFlags = operation(document('query getFeatureFlags { featureFlags }'));

export type FeatureFlags = Readonly<Record<string, unknown>>;

const shape = v.record(v.string(), v.unknown());

/** The server's feature flags; loaded once per page. */
export const featureFlagsQuery = (graphql: GraphqlClient) =>
  queryOptions({
    queryKey: ['featureFlags'],
    queryFn: async ({ signal }): Promise<FeatureFlags> =>
      v.parse(shape, (await graphql.query(getFeatureFlags, {}, signal)).featureFlags),
    staleTime: Number.POSITIVE_INFINITY,
  });
