import { createContext, useContext } from 'react';
import type { User } from '../../../domain/user.ts';

/** Apart from the services, since the user changes after the first paint: what needs services only is not rendered again. */
const Current = createContext<User | undefined>(undefined);

export const UserProvider = Current.Provider;

/**
 * The user and their permissions. In the issue panel, which does not wait, this is first an anonymous user who may only
 * read; everywhere else the user is loaded before a screen is shown.
 */
export function useUser(): User {
  const user = useContext(Current);
  if (!user) throw new Error('useUser must be used within a UserProvider');
  return user;
}
