/** What a screen may ask of the shell. */

export { useGo, usePath, useUnsaved } from './navigation/navigation.ts';
export { useFeatureFlags } from './services/feature-flags.tsx';
export {
  type Notify,
  useBridge,
  useGraphql,
  useHostContext,
  useNotify,
  useServices,
  useSession,
  useSessionStore,
  useUser,
} from './services/services.ts';
export { useLive } from './use-live.ts';
