import { Suspense, use, useMemo } from 'react';
import type { HostContext } from '../bridge/bridge.ts';
import { Loading } from './kit/content-state.tsx';
import { routeOf } from './routes.tsx';
import { useFrame } from './shell/frame-size.ts';
import { ErrorBoundary, lazyScreen } from './shell/lazy-screen.tsx';
import { CloseDialogButton, LeaveDialog } from './shell/navigation/dialogs.tsx';
import { usePath } from './shell/navigation/navigation.ts';
import { type Services, ServicesProvider, useHostContext } from './shell/services/services.ts';
import { CurrentUser, LoadFlags, SessionGate } from './shell/session-gate.tsx';

const OutsideTracker = lazyScreen('outside', async () => ({
  default: (await import('./shell/plain-pages.tsx')).Outside,
}));

/** Created once, before the app is rendered. */
export interface AppServices extends Omit<Services, 'host'> {
  context: Promise<HostContext>;
}

interface Props {
  services: AppServices;
  reload: () => void;
}

export const App = (props: Props) => (
  <ErrorBoundary reload={props.reload}>
    <Suspense fallback={<Loading />}>
      {props.services.bridge.kind === 'none' ? <OutsideTracker.Screen /> : <Frame {...props} />}
    </Suspense>
  </ErrorBoundary>
);

/** The frame, after the host's context is loaded. */
function Frame({ services, reload }: Props) {
  const host = use(services.context);
  const all = useMemo(() => ({ ...services, host }), [services, host]);
  return (
    <ServicesProvider value={all}>
      <RouteScreen reload={reload} />
      <LeaveDialog />
    </ServicesProvider>
  );
}

/** The current route's screen inside its gates and providers. */
function RouteScreen({ reload }: { reload: () => void }) {
  const path = usePath();
  const { Screen, early = false } = routeOf(path);
  useFrame(useHostContext().surface);
  return (
    <SessionGate early={early}>
      <CurrentUser early={early}>
        <LoadFlags>
          <ErrorBoundary key={path} reload={reload} beside={<CloseDialogButton />}>
            <Suspense fallback={<LoadingScreen />}>
              <Screen />
            </Suspense>
          </ErrorBoundary>
        </LoadFlags>
      </CurrentUser>
    </SessionGate>
  );
}

const LoadingScreen = () => (
  <>
    <CloseDialogButton />
    <Loading />
  </>
);
