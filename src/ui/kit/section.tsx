import { type ReactNode, useId } from 'react';
import { failures } from '../../domain/messages.ts';
import { ErrorView } from './error-view.tsx';
import { Loading } from './loading.tsx';

/** A section of a settings screen with its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface QueryState<Value> {
  data: Value | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch(): unknown;
}

interface Props<Value> {
  of: QueryState<Value>;
  children(value: Value): ReactNode;
}

/** Renders the result of a query, or its loading or error state. */
export function QueryResult<Value>({ of, children }: Props<Value>) {
  if (of.data !== undefined) return children(of.data);
  if (!of.isError) return <Loading />;
  return <ErrorView title={failures.unknown} onRetry={() => void of.refetch()} retrying={of.isFetching} />;
}
