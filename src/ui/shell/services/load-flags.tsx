import { type ReactNode, useEffect, useState } from 'react';
import { type FeatureFlags, featureFlagsQuery } from '../../../client/flags.ts';
import { FeatureFlagsProvider } from './feature-flags.tsx';
import { useGraphql } from './graphql.tsx';
import { useQueries } from './queries-context.ts';
import { useSession } from './session.tsx';

const none: FeatureFlags = {};

/** Asks the server for the feature flags; there are none until it answers. */
export function LoadFlags({ children }: { children: ReactNode }) {
  const graphql = useGraphql();
  const queries = useQueries();
  const known = useSession().token !== undefined;
  const [flags, setFlags] = useState(none);
  useEffect(() => {
    if (!known) return;
    let wanted = true;
    queries()
      .then(client => client.fetchQuery(featureFlagsQuery(graphql)))
      // The cache has told of a failure already, and there are no flags to lose.
      .then(
        loaded => wanted && setFlags(loaded),
        () => undefined,
      );
    return () => {
      wanted = false;
    };
  }, [graphql, queries, known]);
  return <FeatureFlagsProvider value={flags}>{children}</FeatureFlagsProvider>;
}
