import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import type { ReactNode } from 'react';
import { issuePath } from '../../domain/pages.ts';
import { useBridge, useHostContext } from './services/services.ts';

/** What a page of ours shows when it was opened on its own. */
export function Outside() {
  return (
    <PlainPage title="This page belongs inside the tracker">
      Open it from an issue or from the settings there.
    </PlainPage>
  );
}

/** A screen with its title, and the sentence that says what it is when there is nothing else on it. */
export const PlainPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="notice">
    <Heading size="medium" as="h1">
      {title}
    </Heading>
    {children}
  </main>
);

/** An address that is none of ours. The way back is the issue that the frame is about, else the tracker's start. */
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
