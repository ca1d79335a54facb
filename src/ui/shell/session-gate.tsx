import type { ReactNode } from 'react';
import type { Session } from '../../client/session.ts';
import { failures, shell } from '../../domain/messages.ts';
import { ErrorView } from '../kit/error-view.tsx';
import { Loading } from '../kit/loading.tsx';
import { CloseDialogButton } from './close-dialog-button.tsx';
import { useSession, useSessionStore } from './services/services.ts';
import { SessionBanner, SupportLink } from './session-banner.tsx';

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
