import { links } from '../../domain/links.ts';
import { shell } from '../../domain/messages.ts';
import { Message } from '../kit/message.tsx';

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
