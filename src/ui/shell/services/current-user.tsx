import { type ReactNode, useEffect, useState } from 'react';
import { loadUser } from '../../../client/user.ts';
import { productSettings } from '../../../domain/token.ts';
import { anonymous, type User } from '../../../domain/user.ts';
import { Loading } from '../../kit/loading.tsx';
import { CloseDialogButton } from '../close-dialog-button.tsx';
import { useBridge, useHostContext, useSession } from './services.ts';
import { UserProvider } from './user.ts';

/** The user, loaded when the session is here and again when it brings other settings. */
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
 * Loads the user of a screen. In one that paints early the user is anonymous, with read permission only, until the answer
 * is here.
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
