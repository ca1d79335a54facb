/** What a screen may ask of the shell. */

export { useGo, usePath, useUnsaved } from './navigation/navigation-hooks.ts';
export { type Notify, useNotify } from './notify.ts';
export { useFeatureFlags } from './services/feature-flags.tsx';
export {
  useBridge,
  useGraphql,
  useHostContext,
  useServices,
  useSession,
  useSessionStore,
} from './services/services.ts';
export { useUser } from './services/user.ts';
export { useLive } from './use-live.ts';
