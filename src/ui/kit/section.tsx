import { type ReactNode, useId } from 'react';
import { failures } from '../../domain/messages.ts';
import { ErrorView } from './error-view.tsx';
import { Loading } from './loading.tsx';

/** A part of a settings screen under a heading of its own. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface Asked<Value> {
  data: Value | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch(): unknown;
}

interface Props<Value> {
  of: Asked<Value>;
  children(value: Value): ReactNode;
}

/** What was asked for, when it is here. */
export function Answered<Value>({ of, children }: Props<Value>) {
  if (of.data !== undefined) return children(of.data);
  if (!of.isError) return <Loading />;
  return <ErrorView title={failures.unknown} onRetry={() => void of.refetch()} retrying={of.isFetching} />;
}
