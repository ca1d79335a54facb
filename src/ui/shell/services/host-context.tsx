import { createContext, useContext } from 'react';
import type { HostContext } from '../../../bridge/bridge.ts';
import { required } from './required.ts';

const Context = createContext<HostContext | undefined>(undefined);

export const HostContextProvider = Context.Provider;

/** Where this frame stands, and the issue and project that it is about. */
export const useHostContext = (): HostContext =>
  required(useContext(Context), 'useHostContext must be used within a HostContextProvider');
