import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { settingsOf } from '../../client/session.ts';
import { loadUser } from '../../client/user.ts';
import { anonymous } from '../../domain/user.ts';
import { Loading } from '../parts/loading.tsx';
import { useBridge } from './bridge.tsx';
import { useHostContext } from './host-context.tsx';
import { useSession } from './session.tsx';
import { UserProvider } from './user.tsx';
import { WayOut } from './way-out.tsx';

/**
 * Loads who looks at the screen. In front of one that paints early everybody is anonymous, who may only read, until the
 * answer is here.
 */
export function CurrentUser({ early, children }: { early: boolean; children: ReactNode }) {
  const bridge = useBridge();
  const context = useHostContext();
  const settings = settingsOf(useSession())?.permissionSettings;
  const { data } = useQuery({
    queryKey: ['user', context.issueKey, context.projectKey, settings],
    queryFn: settings ? () => loadUser(bridge, context, settings) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const user = data ?? (early ? anonymous : undefined);
  if (user) return <UserProvider value={user}>{children}</UserProvider>;
  return (
    <>
      <WayOut />
      <Loading size="small" />
    </>
  );
}
