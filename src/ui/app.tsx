import { Suspense, use, useState } from 'react';
import type { HostBridge, HostContext } from '../bridge/bridge.ts';
import type { GraphqlClient } from '../client/graphql.ts';
import type { SessionStore } from '../client/session.ts';
import { Loading } from './kit/loading.tsx';
import { routeOf } from './routes.tsx';
import { CloseDialogButton } from './shell/close-dialog-button.tsx';
import { Boundary } from './shell/error-boundary.tsx';
import { useFrame } from './shell/frame-size.ts';
import { lazyScreen } from './shell/lazy-screen.tsx';
import type { Navigation } from './shell/navigation/navigation.ts';
import { NavigationProvider, usePath } from './shell/navigation/navigation-hooks.ts';
import { LeaveDialog } from './shell/navigation/unsaved-dialog.tsx';
import { BridgeProvider } from './shell/services/bridge.tsx';
import { GraphqlProvider } from './shell/services/graphql.tsx';
import { HostContextProvider } from './shell/services/host-context.tsx';
import { LoadFlags } from './shell/services/load-flags.tsx';
import { CurrentUser } from './shell/services/load-user.tsx';
import { lazyQueries, QueriesProvider } from './shell/services/queries-context.ts';
import { SessionProvider } from './shell/services/session.tsx';
import { Start } from './shell/session-gate.tsx';

const Outside = lazyScreen('outside', () => import('./shell/outside-tracker.tsx'));

/** What the app stands on; made once, before it is rendered. */
export interface Services {
  bridge: HostBridge;
  context: Promise<HostContext>;
  session: SessionStore;
  graphql: GraphqlClient;
  navigation: Navigation;
}

export function App({ services, reload }: { services: Services; reload: () => void }) {
  const { bridge, session, graphql, navigation, context } = services;
  const [queries] = useState(() => lazyQueries((title, type = 'success') => bridge.flag({ title, type })));
  if (bridge.kind === 'none') {
    return (
      <Boundary reload={reload}>
        <Suspense fallback={<Loading />}>
          <Outside.Screen />
        </Suspense>
      </Boundary>
    );
  }
  return (
    <BridgeProvider value={bridge}>
      <SessionProvider value={session}>
        <GraphqlProvider value={graphql}>
          <QueriesProvider value={queries}>
            <NavigationProvider value={navigation}>
              <Boundary reload={reload}>
                <Suspense fallback={<Loading />}>
                  <Frame context={context} reload={reload} />
                </Suspense>
              </Boundary>
            </NavigationProvider>
          </QueriesProvider>
        </GraphqlProvider>
      </SessionProvider>
    </BridgeProvider>
  );
}

/** The frame once the tracker has said what it is about: the route's screen in what the route needs around it. */
function Frame({ context, reload }: { context: Promise<HostContext>; reload: () => void }) {
  const host = use(context);
  const path = usePath();
  const { Screen, early = false } = routeOf(path);
  useFrame(host.surface);
  return (
    <HostContextProvider value={host}>
      <Start early={early}>
        <CurrentUser early={early}>
          <LoadFlags>
            <Boundary key={path} reload={reload} beside={<CloseDialogButton />}>
              <Suspense fallback={<LoadingScreen />}>
                <Screen />
              </Suspense>
            </Boundary>
          </LoadFlags>
        </CurrentUser>
      </Start>
      <LeaveDialog />
    </HostContextProvider>
  );
}

const LoadingScreen = () => (
  <>
    <CloseDialogButton />
    <Loading />
  </>
);
