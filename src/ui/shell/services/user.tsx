import { createContext, useContext } from 'react';
import type { User } from '../../../domain/user.ts';
import { required } from './required.ts';

const Current = createContext<User | undefined>(undefined);

export const UserProvider = Current.Provider;

/**
 * Who looks, and what they may do. In the issue panel, which does not wait, this is first somebody who may only read;
 * everywhere else the user is loaded before a screen is shown.
 */
export const useUser = (): User => required(useContext(Current), 'useUser must be used within a UserProvider');
