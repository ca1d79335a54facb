import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { closeDialogs, dialogs } from '../bridge/dialogs.ts';
import { stateQuery } from '../data/queries.ts';
import { Dialogs } from '../parts/dialogs.tsx';
import { Flags } from '../parts/flags.tsx';
import { Loading, Message } from '../parts/message.tsx';
import { useAddress } from './address.ts';
import { Header } from './header.tsx';
import { routeOf } from './route.ts';
import { Screen } from './screen.tsx';
import { SiteContext } from './site.ts';
import { useStore } from './store.ts';

/** The site around every screen: header, main region, dialogs and notifications. */
export function Shell() {
  const { data: site, error, refetch } = useQuery(stateQuery);
  if (!site) {
    return error ? (
      <main className="page">
        <Message kind="error" title="We couldn't reach the tracker." retry={() => void refetch()}>
          {error.message}
        </Message>
      </main>
    ) : (
      <Loading what="Loading the tracker" />
    );
  }
  return (
    <SiteContext value={site}>
      <Site />
    </SiteContext>
  );
}

function Site() {
  const address = useAddress();
  const { pathname } = address;
  const covered = useStore(dialogs).length > 0;
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  const id = useId();

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    closeDialogs();
    window.scrollTo(0, 0);
    main.current?.focus();
  }, [pathname]);

  return (
    <>
      <div className="site" inert={covered}>
        <a className="skip-link" href={`#${id}`}>
          Skip to the content
        </a>
        <Header />
        <main ref={main} id={id} tabIndex={-1}>
          <Screen route={routeOf(address)} />
        </main>
      </div>
      <Dialogs />
      <Flags />
    </>
  );
}
