/** What a screen may ask of the shell. */

export { useGo, usePath, useUnsaved } from './navigation/navigation-hooks.ts';
export { type Notify, useNotify } from './notify.ts';
export { useBridge } from './services/bridge.tsx';
export { useFeatureFlags } from './services/feature-flags.tsx';
export { useGraphql } from './services/graphql.tsx';
export { useHostContext } from './services/host-context.tsx';
export { useSession, useSessionStore } from './services/session.tsx';
export { useUser } from './services/user.tsx';
export { useLive } from './use-live.ts';
