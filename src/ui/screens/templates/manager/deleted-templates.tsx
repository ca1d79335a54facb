import Button from '@atlaskit/button/new';
import { useRef, useState } from 'react';
import type { DeletedTemplate } from '../../../../client/admin/templates.ts';
import { MutationRefused } from '../../../../client/errors.ts';
import { deletion, managing } from '../../../../domain/messages.ts';
import { Failure } from '../../../kit/form/form.tsx';
import { QueryResult } from '../../../kit/query-result.tsx';
import { shortDay, timeSince } from '../../../model/days.ts';
import { itemWords } from '../../../model/templates/templates.ts';
import { useDeletedTemplates } from '../../../model/templates/use-templates.ts';
import { useMinute } from '../../../model/today.ts';
import { useUser } from '../../../shell/services/services.ts';
import type { TemplateChanges } from '../template-entry.tsx';

interface Props {
  changes: TemplateChanges;
  /** The current project; without one, all templates of the site are listed. */
  projectId: string | undefined;
}

interface NotRestoredProps extends Pick<TemplateChanges, 'restore'> {
  template: DeletedTemplate;
}

/** Why a template was not restored, until the next try. */
export function NotRestored({ template: { id, name }, restore: { variables, error } }: NotRestoredProps) {
  if (variables !== id || !error) return null;
  const isTaken = error instanceof MutationRefused && error.code === 'NOT_UNIQUE';
  const reason = isTaken ? new MutationRefused(error.code, error.field, deletion.nameTaken(name)) : error;
  return <Failure of={reason} words={managing.updateTemplate} />;
}

/** A button that shows the deleted templates, each with a button that restores it. */
export function DeletedTemplates({ changes: { restore }, projectId }: Props) {
  const { isAdmin, canManageTemplates } = useUser();
  const [isOpen, setOpen] = useState(false);
  const [restored, setRestored] = useState<string | undefined>(undefined);
  const toggle = useRef<HTMLButtonElement>(null);
  const query = useDeletedTemplates(projectId, isOpen);
  const nowMs = useMinute();
  if (!(projectId === undefined ? isAdmin : canManageTemplates)) return null;
  const put = (template: DeletedTemplate) => {
    setRestored(undefined);
    restore.mutate(template.id, {
      onSuccess: () => {
        setRestored(template.name);
        // The pressed button goes with its entry.
        toggle.current?.focus();
      },
    });
  };
  return (
    <section className="templates-deleted" aria-label="Deleted templates">
      <Button
        ref={toggle}
        appearance="subtle"
        aria-expanded={isOpen}
        onClick={() => {
          setRestored(undefined);
          setOpen(!isOpen);
        }}
      >
        Deleted templates
      </Button>
      <p className="templates-undo" role="status">
        {restored === undefined ? null : (
          <>
            “<span dir="auto">{restored}</span>” is restored.
          </>
        )}
      </p>
      {isOpen ? (
        <QueryResult of={query} title={managing.getTemplates}>
          {templates =>
            templates.length === 0 ? (
              <p className="templates-none">{deletion.noneDeleted}</p>
            ) : (
              <ul className="sortable" aria-label="Deleted templates">
                {templates.map(template => (
                  <li key={template.id} className="sortable-item templates-entry">
                    <span className="templates-name" dir="auto">
                      {template.name}
                    </span>
                    <span className="templates-about">
                      <span>{template.projectId === null ? 'Whole site' : 'Project'}</span>
                      <span>{itemWords(template.itemCount)}</span>
                      <span>Deleted {timeSince(Date.parse(template.deleted), nowMs)}</span>
                      <span>Kept until {shortDay(new Date(template.restorableUntil))}</span>
                    </span>
                    <Button
                      spacing="compact"
                      aria-label={`Restore ${template.name}`}
                      isDisabled={restore.isPending}
                      onClick={() => put(template)}
                    >
                      Restore
                    </Button>
                    <NotRestored template={template} restore={restore} />
                  </li>
                ))}
              </ul>
            )
          }
        </QueryResult>
      ) : null}
    </section>
  );
}
