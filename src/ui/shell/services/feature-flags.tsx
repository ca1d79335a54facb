import { createContext, useContext } from 'react';
import type { FeatureFlags } from '../../../client/flags.ts';
import { shell } from '../../../domain/messages.ts';
import { required } from './required.ts';

const Flags = createContext<FeatureFlags | undefined>(undefined);

/** Starts with no flags; the shell replaces them when the server's answer is here. */
export const FeatureFlagsProvider = Flags.Provider;

export const useFeatureFlags = (): FeatureFlags => required(useContext(Flags), shell.flagsOutsideProvider);
