import type { ReactNode } from 'react';
import type { HostIssue } from '../../wire/site.ts';
import { useFramework } from '../app/frames.ts';
import { installedIn, useSite } from '../app/site.ts';
import { ChecklistField } from './checklist-field.tsx';
import { Icon, Person } from './issue.tsx';
import { IssueStatus } from './status.tsx';

/** The fields of an issue on its right side. */
export function Details({ issue }: { issue: HostIssue }) {
  const { assignee, reporter, priority } = issue;
  // The field comes with the add-on.
  const installed = installedIn(useSite(), useFramework());
  return (
    <section className="panel" aria-label="Details">
      <h2 className="panel-title">Details</h2>
      <dl className="fields">
        <Field name="Status">
          <IssueStatus issue={issue} />
        </Field>
        <Field name="Assignee">
          <Person user={assignee} />
        </Field>
        <Field name="Reporter">
          <Person user={reporter} />
        </Field>
        <Field name="Priority">
          {priority ? (
            <span className="person">
              <Icon of={priority} />
              {priority.name}
            </span>
          ) : (
            <span className="subtle">None</span>
          )}
        </Field>
        {installed.length > 0 ? <ChecklistField key={issue.key} issue={issue} /> : null}
      </dl>
    </section>
  );
}

const Field = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
