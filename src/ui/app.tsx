import { Suspense, use, useState } from 'react';
import type { HostBridge, HostContext } from '../bridge/bridge.ts';
import type { GraphqlClient } from '../client/graphql.ts';
import type { SessionStore } from '../client/session.ts';
import { Boundary } from './app/boundary.tsx';
import { BridgeProvider } from './app/bridge.tsx';
import { CurrentUser } from './app/current-user.tsx';
import { useFrame } from './app/frame.ts';
import { GraphqlProvider } from './app/graphql.tsx';
import { HostContextProvider } from './app/host-context.tsx';
import { lazyScreen } from './app/lazy.tsx';
import { LoadFlags } from './app/load-flags.tsx';
import type { Navigation } from './app/navigation.ts';
import { NavigationProvider, usePath } from './app/navigation-hooks.ts';
import { lazyQueries, QueriesProvider } from './app/queries-context.ts';
import { SessionProvider } from './app/session.tsx';
import { Start } from './app/start.tsx';
import { WayOut } from './app/way-out.tsx';
import { Loading } from './parts/loading.tsx';
import { LeaveQuestion } from './parts/question.tsx';
import { routeOf } from './routes.tsx';

const Outside = lazyScreen('outside', () => import('./screens/outside.tsx'));

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
            <Boundary key={path} reload={reload} beside={<WayOut />}>
              <Suspense fallback={<LoadingScreen />}>
                <Screen />
              </Suspense>
            </Boundary>
          </LoadFlags>
        </CurrentUser>
      </Start>
      <LeaveQuestion />
    </HostContextProvider>
  );
}

const LoadingScreen = () => (
  <>
    <WayOut />
    <Loading />
  </>
);
