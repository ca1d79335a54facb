import { type ReactNode, useEffect, useState } from 'react';
import { loadUser } from '../../../client/user.ts';
import { productSettings } from '../../../domain/token.ts';
import { anonymous, type User } from '../../../domain/user.ts';
import { Loading } from '../../kit/loading.tsx';
import { CloseDialogButton } from '../close-dialog-button.tsx';
import { useBridge } from './bridge.tsx';
import { useHostContext } from './host-context.tsx';
import { useSession } from './session.tsx';
import { UserProvider } from './user.tsx';

/** Whoever looks, asked for when the session is here and again when it brings other settings. */
function useLoadedUser(): User | undefined {
  const bridge = useBridge();
  const context = useHostContext();
  const settings = useSession().payload?.settings;
  const [user, setUser] = useState<User | undefined>(undefined);
  useEffect(() => {
    if (!settings) return;
    let wanted = true;
    void loadUser(bridge, context, productSettings(settings)).then(loaded => wanted && setUser(loaded));
    return () => {
      wanted = false;
    };
  }, [bridge, context, settings]);
  return user;
}

/**
 * Loads who looks at the screen. In front of one that paints early everybody is anonymous, who may only read, until the
 * answer is here.
 */
export function CurrentUser({ early, children }: { early: boolean; children: ReactNode }) {
  const user = useLoadedUser() ?? (early ? anonymous : undefined);
  if (user) return <UserProvider value={user}>{children}</UserProvider>;
  return (
    <>
      <CloseDialogButton />
      <Loading size="small" />
    </>
  );
}
