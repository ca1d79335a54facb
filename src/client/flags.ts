import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { getFeatureFlags } from './documents.ts';
import type { GraphqlClient } from './graphql.ts';

export type FeatureFlags = Readonly<Record<string, unknown>>;

const shape = z.record(z.string(), z.unknown());

/** The server's feature flags; they hold for as long as the page does. */
export const featureFlagsQuery = (graphql: GraphqlClient) =>
  queryOptions({
    queryKey: ['featureFlags'],
    queryFn: async ({ signal }): Promise<FeatureFlags> =>
      shape.parse((await graphql.query(getFeatureFlags, {}, signal)).featureFlags),
    staleTime: Number.POSITIVE_INFINITY,
  });
