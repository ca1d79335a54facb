import Spinner from '@atlaskit/spinner';
import type { ReactNode } from 'react';
import { failures, shell } from '../../domain/messages.ts';
import { Button } from './button.tsx';

/** Replaces content that cannot be shown: the error and a retry button. */
export function ErrorView(props: { title: string; children?: ReactNode; onRetry: () => void; retrying?: boolean }) {
  return (
    <div role="alert" className="notice">
      <h1>{props.title}</h1>
      {props.children}
      <Button onClick={props.onRetry} busy={props.retrying ?? false}>
        {shell.retry}
      </Button>
    </div>
  );
}

/** A loading spinner, centred in the space of its content. */
export const Loading = ({ size = 'medium' }: { size?: 'small' | 'medium' }) => (
  <div className="loading">
    <Spinner size={size} label="Loading" />
  </div>
);

interface QueryState<Value> {
  data: Value | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch(): unknown;
}

interface QueryProps<Value> {
  of: QueryState<Value>;
  children(value: Value): ReactNode;
}

/** Renders the result of a query, or its loading or error state. */
export function QueryResult<Value>({ of, children }: QueryProps<Value>) {
  if (of.data !== undefined) return children(of.data);
  if (!of.isError) return <Loading />;
  return <ErrorView title={failures.unknown} onRetry={() => void of.refetch()} retrying={of.isFetching} />;
}
