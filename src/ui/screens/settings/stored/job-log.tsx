import type { InheritJob } from '../../../../client/admin/inherit.ts';
import { issuePath } from '../../../../domain/pages.ts';
import { TrackerLink } from '../../../shell/navigation/links.tsx';

/** The lines of a job's log, each with its issue. */
export function JobLog({ log }: Pick<InheritJob, 'log'>) {
  if (log.length === 0) return null;
  return (
    <ul className="settings-job-log">
      {log.map(({ issue, message }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only appended.
        <li key={index}>
          {issue === null ? null : (
            <>
              <TrackerLink path={issuePath(issue)}>{issue}</TrackerLink>:{' '}
            </>
          )}
          {message}
        </li>
      ))}
    </ul>
  );
}

/** A number of issues in words. */
export const issuesOf = (count: number): string => `${count} ${count === 1 ? 'issue' : 'issues'}`;
