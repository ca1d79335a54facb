import { useMutation } from '@tanstack/react-query';
import type { HostIssue } from '../../wire/site.ts';
import { changeStatus } from '../data/changes.ts';
import { Lozenge } from './issue.tsx';

/** The status of an issue, with the visitor's transitions. */
export function IssueStatus({ issue: { key, status, transitions } }: { issue: HostIssue }) {
  const change = useMutation({ mutationFn: (id: string) => changeStatus(key, id) });
  if (transitions.length === 0) return <Lozenge {...status} />;
  return (
    <>
      <select
        className="lozenge"
        data-color={status.color}
        aria-label="Status"
        value=""
        disabled={change.isPending}
        onChange={({ target }) => change.mutate(target.value)}
      >
        <option value="">{status.name}</option>
        {transitions.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {change.error ? (
        <p className="trouble" role="alert">
          {change.error.message}
        </p>
      ) : null}
    </>
  );
}
