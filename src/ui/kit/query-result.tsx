import type { ReactNode } from 'react';
import { isReadRetried, reasonOf } from '../../client/outbox/failure.ts';
import { failures, unreachable } from '../../domain/messages.ts';
import { type ErrorProps, ErrorView, Loading } from './content-state.tsx';

/** Replaces content that a query failed to load: an error view that says if the query is repeated automatically. */
export const QueryError = ({ error, children, ...props }: ErrorProps & { error: unknown }) => (
  <ErrorView {...props}>
    {isReadRetried(error) ? <p>{`${reasonOf(error)} ${unreachable.retrying}`}</p> : null}
    {children}
  </ErrorView>
);

/** The state of a query, as far as a screen shows it. */
export interface QueryState<Value> {
  data: Value | undefined;
  error: unknown;
  isError: boolean;
  isFetching: boolean;
  refetch(): unknown;
}

interface QueryProps<Value> {
  of: QueryState<Value>;
  /** Says what failed to load. */
  title?: string;
  children(value: Value): ReactNode;
}

/** Renders the result of a query, or its loading or error state. */
export function QueryResult<Value>({ of, title = failures.unknown, children }: QueryProps<Value>) {
  if (of.data !== undefined) return children(of.data);
  if (!of.isError) return <Loading />;
  return <QueryError title={title} error={of.error} onRetry={() => void of.refetch()} retrying={of.isFetching} />;
}
