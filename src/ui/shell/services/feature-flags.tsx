import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type FeatureFlags, featureFlagsQuery } from '../../../client/flags.ts';
import { shell } from '../../../domain/messages.ts';
import { useServices, useSession } from './services.ts';

/** A context of its own, since the flags change after the first paint. */
const Flags = createContext<FeatureFlags | undefined>(undefined);

export const FeatureFlagsProvider = Flags.Provider;

export function useFeatureFlags(): FeatureFlags {
  const flags = useContext(Flags);
  if (!flags) throw new Error(shell.flagsOutsideProvider);
  return flags;
}

const none: FeatureFlags = {};

/** Loads the feature flags; none are set until the server answers. */
export function LoadFlags({ children }: { children: ReactNode }) {
  const { graphql, queries } = useServices();
  const known = useSession().token !== undefined;
  const [flags, setFlags] = useState(none);
  useEffect(() => {
    if (!known) return;
    let wanted = true;
    queries()
      .then(client => client.fetchQuery(featureFlagsQuery(graphql)))
      // The query cache has reported the failure already.
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
