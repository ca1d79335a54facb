import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import type { ReactNode } from 'react';
import { issuePath } from '../../domain/pages.ts';
import { useGo } from './navigation/navigation.ts';
import { useBridge, useHostContext } from './services/services.ts';

/** Shown when a page of the app was opened outside of the tracker. */
export function Outside() {
  return <PlainPage title="Open this page in Jira">Open it from an issue or from the settings in Jira.</PlainPage>;
}

/** A screen with a title and a sentence. */
const PlainPage = ({ title, children }: { title: string; children: ReactNode }) => (
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
      This address doesn't exist.
      <Button onClick={back}>{surface === 'dialog' ? 'Close' : `Back to ${issueKey ?? 'Jira'}`}</Button>
    </PlainPage>
  );
}

/** Navigates to the screen that this one was opened from. */
export function Back({ to, children }: { to: string; children: string }) {
  const go = useGo();
  return (
    <Button appearance="subtle" onClick={() => go(to)}>
      {children}
    </Button>
  );
}

/** For screens opened from the issue panel. */
export const BackToChecklist = () => <Back to="/checklist">Back to checklist</Back>;
