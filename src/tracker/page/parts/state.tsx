import type { ReactNode } from 'react';
import { useTitle } from '../app/title.ts';
import { RequestFailed } from '../data/fetch.ts';
import { Link } from './link.tsx';
import { Loading, Message } from './message.tsx';

interface Answer<T> {
  data: T | undefined;
  error: Error | null;
  refetch(): Promise<unknown>;
}

interface AnsweredProps<T> {
  answer: Answer<T>;
  /** The subject of a 404. */
  missing: string;
  children(data: T): ReactNode;
}

/** A screen's data, or its loading, not-found, forbidden or error state. Loaded data stays. */
export function Answered<T>({ answer, missing, children }: AnsweredProps<T>) {
  const { data, error, refetch } = answer;
  const status = error instanceof RequestFailed ? error.status : 0;
  if (error && status === 404) return <Missing title={missing} />;
  if (error && (status === 401 || status === 403)) return <NotAllowed />;
  if (data !== undefined) return children(data);
  if (!error) return <Loading />;
  return (
    <div className="page">
      <Message kind="error" title="We couldn't load this page." retry={() => void refetch()}>
        {error.message}
      </Message>
    </div>
  );
}

export function Missing({ title = 'This page does not exist.' }: { title?: string }) {
  useTitle('Not found');
  return (
    <EmptyState title={title}>It was moved or deleted, or this user doesn't have permission to see it.</EmptyState>
  );
}

export function NotAllowed({
  children = 'Ask an administrator, or switch to another user.',
}: {
  children?: ReactNode;
}) {
  useTitle('Not allowed');
  return <EmptyState title="You don't have permission to see this page.">{children}</EmptyState>;
}

const EmptyState = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="empty-state">
    <h1>{title}</h1>
    <p>{children}</p>
    <Link className="button" href="/">
      Go to the projects
    </Link>
  </div>
);
