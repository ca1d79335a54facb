import { createContext, useContext } from 'react';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { required } from './required.ts';

const Bridge = createContext<HostBridge | undefined>(undefined);

export const BridgeProvider = Bridge.Provider;

/** The tracker around this frame. */
export const useBridge = (): HostBridge =>
  required(useContext(Bridge), 'useBridge must be used within a BridgeProvider');
