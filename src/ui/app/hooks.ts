/** What a screen may ask of the shell. */
export { useBridge } from './bridge.tsx';
export { useFeatureFlags } from './feature-flags.tsx';
export { useGraphql } from './graphql.tsx';
export { useHostContext } from './host-context.tsx';
export { useLive } from './live.ts';
export { useGo, usePath, useUnsaved } from './navigation-hooks.ts';
export { type Notify, useNotify } from './notify.ts';
export { useSession, useSessionStore } from './session.tsx';
export { useUser } from './user.tsx';
