import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { HostBridge } from '../bridge/bridge.ts';
import { openBridge } from '../bridge/index.ts';
import { createGraphql } from '../client/graphql.ts';
import { createSession } from '../client/session.ts';
import { App } from './app.tsx';
import { routeOf } from './routes.tsx';
import { createNavigation } from './shell/navigation/navigation.ts';
import { createOnce, lazyQueries, watchFiles, withAnalytics } from './shell/services/services.ts';
import '@atlaskit/css-reset';
import 'virtual:tokens.css';
import './theme.css';
import './kit/kit.css';

function start(bridge: HostBridge): void {
  const context = bridge.context();
  const session = createSession(bridge);
  const navigation = createNavigation(window);
  const completed = (operation: string) =>
    withAnalytics(({ trackOperation }) => trackOperation({ bridge, session }, operation));

  watchFiles(navigation);
  if (bridge.kind !== 'none') {
    session.start();
    // Loads the screen's chunk in parallel to the host's context. A failure shows when the screen renders.
    void routeOf(navigation.path())
      .fetch()
      .catch(() => undefined);
    context
      .then(({ surface }) => withAnalytics(({ track }) => track({ bridge, session }, 'App Loaded', { surface })))
      .catch(() => undefined);
  }

  const graphql = createGraphql(bridge, session, { completed });
  const services = {
    bridge,
    context,
    session,
    graphql,
    queries: lazyQueries(bridge),
    navigation,
    once: createOnce(bridge),
  };
  const root = document.getElementById('root');
  if (root) {
    createRoot(root).render(
      <StrictMode>
        <App services={services} reload={() => location.reload()} />
      </StrictMode>,
    );
  }
}

// Not awaited by the module: the bundler gives each dynamic import of such a page a file of its own.
void openBridge().then(start);
