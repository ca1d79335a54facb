import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import type { GraphqlClient } from './graphql.ts';
import { graphql as document, operation } from './operation.ts';

export const getFeatureFlags = operation(
  document('query getFeatureFlags { featureFlags }'),
  v.object({ featureFlags: v.unknown() }),
);

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
