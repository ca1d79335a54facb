import { Suspense, use, useEffect, useMemo } from 'react';
import type { HostContext } from '../bridge/bridge.ts';
import { type Surface, scrolls } from '../domain/pages.ts';
import { Loading } from './kit/content-state.tsx';
import { anyLayer, onLayers } from './kit/layers.ts';
import { routeOf } from './routes.tsx';
import { ErrorBoundary, lazyScreen } from './shell/lazy-screen.tsx';
import { CloseDialogButton, LeaveDialog } from './shell/navigation/dialogs.tsx';
import { usePath } from './shell/navigation/navigation.ts';
import { type Services, ServicesProvider, useBridge, useHostContext } from './shell/services/services.ts';
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
  const allServices = useMemo(() => ({ ...services, host }), [services, host]);
  return (
    <ServicesProvider value={allServices}>
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

/** The content's height in pixels. Open layers may extend below the body's box, but not below the document's. */
function contentHeight({ body, documentElement }: Document): number {
  const height = body.getBoundingClientRect().height;
  return Math.ceil(anyLayer() ? Math.max(height, documentElement.scrollHeight) : height);
}

/**
 * Calls `resize` with the content's height now and on every change. Changes of the document are measured at once, not
 * in an animation frame: browsers run none for a hidden panel.
 */
function followContent(document: Document, resize: (height: number) => void): () => void {
  let last: number | undefined;
  const measure = () => {
    const height = contentHeight(document);
    if (height !== last) resize(height);
    last = height;
  };
  const changes = new MutationObserver(measure);
  const observe = () => {
    // A layer moves by its style attribute; the resize observer covers the content's own boxes.
    changes.observe(document.body, { childList: true, characterData: true, subtree: true, attributes: anyLayer() });
    measure();
  };
  const boxes = new ResizeObserver(measure);
  boxes.observe(document.body);
  const stopLayers = onLayers(observe);
  // A layer may be limited by the frame's height and grow with it.
  window.addEventListener('resize', measure);
  observe();
  return () => {
    window.removeEventListener('resize', measure);
    stopLayers();
    changes.disconnect();
    boxes.disconnect();
  };
}

/** Sets the frame's layout for its surface: the body scrolls, or the frame grows with its content. */
export function useFrame(surface: Surface): void {
  const bridge = useBridge();
  useEffect(() => {
    const grows = !scrolls(surface);
    Object.assign(document.documentElement.dataset, { layout: grows ? 'grow' : 'scroll', surface });
    return grows ? followContent(document, height => bridge.resize(height)) : undefined;
  }, [bridge, surface]);
}
