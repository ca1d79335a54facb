import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { hiddenNotices, hideNotice } from '../../client/notices.ts';
import { failures } from '../../domain/messages.ts';
import { issuePath } from '../../domain/pages.ts';
import { anonymous } from '../../domain/user.ts';
import { Failure } from '../kit/form/form.tsx';
import { useGo } from './navigation/navigation.ts';
import { useBridge, useHostContext, useUser } from './services/services.ts';
import './page.css';
import './shell.css';

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

interface TitleProps {
  title: string;
  size?: 'small' | 'medium';
  id?: string;
  /** At the end of the line, such as the way back. */
  children?: ReactNode;
}

/** A screen's title. */
export const PageTitle = ({ title, size = 'small', id, children }: TitleProps) => (
  <header className="page-title">
    <Heading as="h1" size={size} {...(id !== undefined && { id })}>
      {title}
    </Heading>
    {children}
  </header>
);

interface PageProps {
  title: string;
  /** The way back. */
  back?: ReactNode;
  children: ReactNode;
}

/** A screen on a page of its own, such as settings. */
export const Page = ({ title, back, children }: PageProps) => (
  <main className="page">
    <PageTitle title={title} size="medium">
      {back}
    </PageTitle>
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

interface TipProps {
  /** The key of the stored hidden state; unique among tips. */
  name: string;
  children: ReactNode;
}

/** A tip that each user can hide for good, on all devices. */
export function Tip({ name, children }: TipProps) {
  const bridge = useBridge();
  const client = useQueryClient();
  const { id } = useUser();
  const text = useId();
  const queryKey = ['hidden notices', id];
  const { data: hidden, isError } = useQuery({
    queryKey,
    queryFn: () => hiddenNotices(bridge, id),
    // There is no storage for an anonymous user.
    enabled: id !== anonymous.id,
    meta: { silent: true },
  });
  const hide = useMutation({
    mutationFn: () => hideNotice(bridge, id, name),
    // Sequential: each write contains all names.
    scope: { id: 'hide notices' },
    onMutate: () => client.setQueryData<ReadonlySet<string>>(queryKey, before => new Set([...(before ?? []), name])),
    onError: () => void client.invalidateQueries({ queryKey }),
    meta: { failure: failures.unknown },
  });
  const isKnown = hidden !== undefined || isError || id === anonymous.id;
  if (!isKnown || hidden?.has(name)) return null;
  return (
    <div className="tip" role="note" aria-labelledby={text}>
      <p id={text}>{children}</p>
      {hidden ? (
        <button type="button" aria-describedby={text} onClick={() => hide.mutate()}>
          Don’t show again
        </button>
      ) : null}
      <Failure of={hide.error} />
    </div>
  );
}
