import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type FeatureFlags, featureFlagsQuery } from '../../../client/flags.ts';
import { shell } from '../../../domain/messages.ts';
import { useServices, useSession } from './services.ts';

/** Apart from the services, since the flags change after the first paint. */
const Flags = createContext<FeatureFlags | undefined>(undefined);

export const FeatureFlagsProvider = Flags.Provider;

export function useFeatureFlags(): FeatureFlags {
  const flags = useContext(Flags);
  if (!flags) throw new Error(shell.flagsOutsideProvider);
  return flags;
}

const none: FeatureFlags = {};

/** Asks the server for the feature flags; there are none until it answers. */
export function LoadFlags({ children }: { children: ReactNode }) {
  const { graphql, queries } = useServices();
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
