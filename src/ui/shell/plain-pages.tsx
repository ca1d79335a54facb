import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import type { ReactNode } from 'react';
import { issuePath } from '../../domain/pages.ts';
import { useBridge, useHostContext } from './services/services.ts';

/** Shown when a page of the app was opened outside of the tracker. */
export function Outside() {
  return (
    <PlainPage title="This page belongs inside the tracker">
      Open it from an issue or from the settings there.
    </PlainPage>
  );
}

/** A screen with a title and a sentence. */
export const PlainPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="notice">
    <Heading size="medium" as="h1">
      {title}
    </Heading>
    {children}
  </main>
);

/** Shown for an unknown path. Links to the frame's issue, else to the tracker's start page. */
export function NotFound() {
  const bridge = useBridge();
  const { surface, issueKey } = useHostContext();
  const back =
    surface === 'dialog' ? () => bridge.closeDialog() : () => bridge.navigate(issueKey ? issuePath(issueKey) : '/');
  return (
    <PlainPage title="Page not found">
      There is nothing at this address.
      <Button onClick={back}>{surface === 'dialog' ? 'Close' : `Back to ${issueKey ?? 'the tracker'}`}</Button>
    </PlainPage>
  );
}
