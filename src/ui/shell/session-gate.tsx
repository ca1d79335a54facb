import { type ReactNode, useEffect, useState } from 'react';
import { loadForeignChanges } from '../../client/reading.ts';
import type { Session } from '../../client/session.ts';
import { loadUser } from '../../client/user.ts';
import { links } from '../../domain/links.ts';
import { failures, shell } from '../../domain/messages.ts';
import { productSettings } from '../../domain/token.ts';
import { anonymous, type User } from '../../domain/user.ts';
import { ErrorView } from '../kit/error-view.tsx';
import { Loading } from '../kit/loading.tsx';
import { Message } from '../kit/message.tsx';
import { CloseDialogButton } from './navigation/tracker-dialog.tsx';
import {
  UserProvider,
  useBridge,
  useGraphql,
  useHostContext,
  useSession,
  useSessionStore,
} from './services/services.ts';

/** The user, loaded when the session is here and again when it brings other settings. */
function useLoadedUser(): User | undefined {
  const bridge = useBridge();
  const graphql = useGraphql();
  const context = useHostContext();
  const settings = useSession().payload?.settings;
  const [user, setUser] = useState<User | undefined>(undefined);
  useEffect(() => {
    if (!settings) return;
    let wanted = true;
    void loadUser(bridge, context, productSettings(settings)).then(loaded => {
      if (wanted) setUser(loaded);
      loadForeignChanges(changes => changes.reportLacking(graphql, context, loaded, settings));
    });
    return () => {
      wanted = false;
    };
  }, [bridge, graphql, context, settings]);
  return user;
}

/**
 * Loads the user of a screen. In one that paints early the user is anonymous, with read permission only, until the answer
 * is here.
 */
export function CurrentUser({ early, children }: { early: boolean; children: ReactNode }) {
  const user = useLoadedUser() ?? (early ? anonymous : undefined);
  if (user) return <UserProvider value={user}>{children}</UserProvider>;
  return (
    <>
      <CloseDialogButton />
      <Loading size="small" />
    </>
  );
}

/** Over a screen whose session has failed: the screen stays as it is, and the session may be tried again. */
export const SessionBanner = ({ title, onRetry }: { title: string; onRetry: () => void }) => (
  <Message appearance="warning" title={title} actions={[{ label: shell.retry, run: onRetry }]}>
    <SupportLink />
  </Message>
);

export const SupportLink = () => (
  <a href={links.support} target="_blank" rel="noreferrer">
    {shell.support}
  </a>
);

/** What stands in the frame: one of the two stand-ins for a screen, or the screen, with or without the banner. */
export type StartView = 'spinner' | 'error' | 'screen' | 'screen with banner';

/**
 * A session that has succeeded once keeps its screen, and the banner comes only when the server refuses us: a network
 * that is away for a moment costs nothing yet. A screen that paints early, such as the issue panel, stands without a
 * session: what the tracker holds is worth showing while our server is away.
 */
export function startView({ status, retrying, payload, unauthorized }: Session, early: boolean): StartView {
  const failed = status === 'fail' || retrying;
  if (payload) return unauthorized ? 'screen with banner' : 'screen';
  if (early) return failed ? 'screen with banner' : 'screen';
  return failed ? 'error' : 'spinner';
}

/** Shows the screen when the session lets it. */
export function SessionGate({ early, children }: { early: boolean; children: ReactNode }) {
  const session = useSession();
  const { retry } = useSessionStore();
  const view = startView(session, early);
  const title = session.unauthorized ? shell.unauthorized : failures.unknown;
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
      <>
        <CloseDialogButton />
        <ErrorView title={title} onRetry={retry} retrying={session.retrying}>
          <SupportLink />
        </ErrorView>
      </>
    );
  }
  return (
    <>
      {view === 'screen with banner' && <SessionBanner title={title} onRetry={retry} />}
      {children}
    </>
  );
}
