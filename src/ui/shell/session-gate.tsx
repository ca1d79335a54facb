import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { createPolling, type Polling } from '../../client/live/polling.ts';
import { loadForeignChanges } from '../../client/reading.ts';
import type { Session } from '../../client/session.ts';
import { type FeatureFlags, featureFlagsQuery, loadUser } from '../../client/user.ts';
import type { Feature } from '../../domain/constants.ts';
import { links } from '../../domain/links.ts';
import { shell, unreachable } from '../../domain/messages.ts';
import { productSettings } from '../../domain/token.ts';
import { anonymous, type User } from '../../domain/user.ts';
import { ErrorView, Loading } from '../kit/content-state.tsx';
import { Message } from '../kit/message.tsx';
import { CloseDialogButton } from './navigation/dialogs.tsx';
import {
  UserProvider,
  useBridge,
  useGraphql,
  useHostContext,
  useServices,
  useSession,
  useSessionStore,
} from './services/services.ts';

/** Attempts to load the user follow at this interval after the first ones. */
const RETRY_INTERVAL_MS = 30_000;

/** Loads the user when the session is ready, and again when its settings change; repeats it after failures. */
function useLoadedUser(): { user: User | undefined; retry: (() => void) | undefined } {
  const bridge = useBridge();
  const graphql = useGraphql();
  const context = useHostContext();
  const settings = useSession().payload?.settings;
  const [user, setUser] = useState<User>();
  const [failed, setFailed] = useState<Polling | undefined>(undefined);
  useEffect(() => {
    if (!settings) return;
    const polling = createPolling(async signal => {
      const loaded = await loadUser(bridge, context, productSettings(settings));
      if (signal.aborted) return;
      stop();
      setFailed(undefined);
      setUser(loaded);
      loadForeignChanges(changes => changes.reportMissing(graphql, context, loaded, settings));
    }, RETRY_INTERVAL_MS);
    polling.subscribe(() => setFailed(polling.get() ? polling : undefined));
    const stop = polling.start();
    return stop;
  }, [bridge, graphql, context, settings]);
  return { user, retry: user ? undefined : failed?.retry };
}

/**
 * Provides the user to a screen. An early screen renders with an anonymous user, with read permission only, until the
 * user is loaded.
 */
export function CurrentUser({ early, children }: { early: boolean; children: ReactNode }) {
  const { user = early ? anonymous : undefined, retry } = useLoadedUser();
  return (
    <>
      {user ? null : <CloseDialogButton />}
      {retry ? <FailureBanner title={unreachable.tracker} onRetry={retry} /> : user ? null : <Loading size="small" />}
      {user ? <UserProvider value={user}>{children}</UserProvider> : null}
    </>
  );
}

interface BannerProps {
  title: string;
  /** Whether only the user can mend the failure. */
  unauthorized?: boolean | undefined;
  onRetry: () => void;
}

/** Above a screen whose session has failed, or before the user is loaded: what has failed can be retried. */
const FailureBanner = ({ title, unauthorized, onRetry }: BannerProps) => (
  <Message appearance="warning" title={title} actions={[{ label: shell.retry, run: onRetry }]}>
    <FailureNote unauthorized={unauthorized} />
  </Message>
);

const titleOf = ({ unauthorized, why }: Session) => (unauthorized ? shell.unauthorized : (why ?? ''));

/** The note on the next step: a refused session needs the user, any other failure is retried. */
const FailureNote = ({ unauthorized }: Pick<BannerProps, 'unauthorized'>) => (
  <>
    {unauthorized ? null : <p>{unreachable.retrying}</p>}
    <SupportLink />
  </>
);

export const SupportLink = () => (
  <a href={links.support} target="_blank" rel="noreferrer">
    {shell.support}
  </a>
);

/** The view of the frame. */
export type StartView = 'spinner' | 'error' | 'screen' | 'screen with banner';

/**
 * After the first success a session keeps its screen, and the banner shows only when the server rejects the session,
 * not for a short network failure. An early screen, such as the issue panel, needs no session: it shows what the
 * tracker stores while the app's server is unavailable.
 */
export function startView({ status, retrying, payload, unauthorized }: Session, early: boolean): StartView {
  const failed = status === 'fail' || retrying;
  if (payload) return unauthorized ? 'screen with banner' : 'screen';
  if (early) return failed ? 'screen with banner' : 'screen';
  return failed ? 'error' : 'spinner';
}

/** Shows the screen, or the session's loading or error state. */
export function SessionGate({ early, children }: { early: boolean; children: ReactNode }) {
  const session = useSession();
  const { retry } = useSessionStore();
  const view = startView(session, early);
  if (view === 'spinner') {
    return (
      <>
        <CloseDialogButton />
        <Loading />
      </>
    );
  }
  if (view === 'error') {
    return (
      <main>
        <CloseDialogButton />
        <ErrorView title={titleOf(session)} onRetry={retry} retrying={session.retrying}>
          <FailureNote unauthorized={session.unauthorized} />
        </ErrorView>
      </main>
    );
  }
  return (
    <>
      {view === 'screen with banner' && (
        <FailureBanner title={titleOf(session)} unauthorized={session.unauthorized} onRetry={retry} />
      )}
      {children}
    </>
  );
}

/** A context of its own, since the flags change after the first paint: users of the services do not rerender. */
const Flags = createContext<FeatureFlags | undefined>(undefined);

export const FeatureFlagsProvider = Flags.Provider;

export function useFeatureFlags(): FeatureFlags {
  const flags = useContext(Flags);
  if (!flags) throw new Error(shell.flagsOutsideProvider);
  return flags;
}

/** Whether a feature is on; none is until the server answers. */
export const useFeature = (name: Feature): boolean => useFeatureFlags()[name] === true;

const none: FeatureFlags = {};

/** Loads the feature flags; none are set until the server answers. */
export function LoadFlags({ children }: { children: ReactNode }) {
  const { graphql, queries } = useServices();
  const hasToken = useSession().token !== undefined;
  const [flags, setFlags] = useState(none);
  useEffect(() => {
    if (!hasToken) return;
    let isCurrent = true;
    queries()
      .then(client => client.fetchQuery(featureFlagsQuery(graphql)))
      // The query cache has reported the failure already.
      .then(
        loaded => isCurrent && setFlags(loaded),
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [graphql, queries, hasToken]);
  return <FeatureFlagsProvider value={flags}>{children}</FeatureFlagsProvider>;
}
