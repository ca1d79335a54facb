import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type FeatureFlags, featureFlagsQuery } from '../../client/flags.ts';
import { FeatureFlagsProvider } from './feature-flags.tsx';
import { useGraphql } from './graphql.tsx';
import { useSession } from './session.tsx';

const none: FeatureFlags = {};

/** Asks the server for the feature flags; there are none until it answers. */
export function LoadFlags({ children }: { children: ReactNode }) {
  const graphql = useGraphql();
  const { token } = useSession();
  const { data } = useQuery({ ...featureFlagsQuery(graphql), enabled: token !== undefined });
  return <FeatureFlagsProvider value={data ?? none}>{children}</FeatureFlagsProvider>;
}
