import Button from '@atlaskit/button/new';
import AddIcon from '@atlaskit/icon/core/add';
import DeleteIcon from '@atlaskit/icon/core/delete';
import EditIcon from '@atlaskit/icon/core/edit';
import { memo, useCallback, useRef, useState } from 'react';
import type { ManagedStatus } from '../../../../client/admin/managed-statuses.ts';
import { managing } from '../../../../domain/messages.ts';
import { Loading } from '../../../kit/content-state.tsx';
import { useOpener } from '../../../kit/focus.ts';
import { Failure } from '../../../kit/form/form.tsx';
import { QueryError } from '../../../kit/query-result.tsx';
import { RowButton, SortableList } from '../../../kit/sortable/sortable.tsx';
import { useFormDrafts } from '../../../model/drafts/use-form-draft.ts';
import { type Unsaved, useEntered } from '../../../shell/entry-form.tsx';
import { useLeave } from '../../../shell/navigation/navigation.ts';
import { Lozenge, OpenStatus, StatusForm } from './status-form.tsx';
import { type StatusInput, useStatusJob, useStatusSettings } from './use-status-settings.ts';
import '../../../kit/sortable/sortable.css';
import '../settings.css';

interface StatusEntryProps {
  status: ManagedStatus;
  onShow(kind: 'edit' | 'delete', slug: string): void;
}

/** An editable status with its buttons. Memoized: only changed entries of a long list rerender. */
export const StatusEntry = memo(({ status, onShow }: StatusEntryProps) => {
  const { slug, name, builtIn, going } = status;
  return (
    <>
      <StatusWords status={status} />
      {going ? null : (
        <span className="statuses-tools">
          <RowButton
            icon={EditIcon}
            label={`Edit ${name}`}
            data-opens={`edit ${slug}`}
            onClick={() => onShow('edit', slug)}
          />
          {builtIn ? null : (
            <RowButton
              icon={DeleteIcon}
              label={`Delete ${name}`}
              data-opens={`delete ${slug}`}
              onClick={() => onShow('delete', slug)}
            />
          )}
        </span>
      )}
    </>
  );
});

/** A status with its properties. */
export const StatusWords = ({ status }: { status: ManagedStatus }) => (
  <>
    <Lozenge name={status.name} color={status.color} />
    <span className="statuses-about">
      {[
        ...(status.checked ? ['completes an item'] : []),
        ...(status.builtIn ? ['built in'] : []),
        ...(status.going ? ['being deleted'] : []),
      ].join(' · ')}
    </span>
  </>
);

/** The open form; one at a time. */
type Open =
  | { kind: 'create'; unsaved?: Unsaved<StatusInput> | undefined }
  | { kind: 'edit' | 'delete'; slug: string }
  | undefined;

const slugOf = ({ slug }: ManagedStatus) => slug;
const nameOf = ({ name }: ManagedStatus) => name;

/** The statuses of a project, below those of the site, or the site's own; and the job that updates checklists. */
export function StatusesSection({ projectId }: { projectId: string | undefined }) {
  useFormDrafts();
  const { statuses, own, create, move, moveError, refetch, isFetching, error } = useStatusSettings(projectId);
  const job = useStatusJob(projectId);
  const [open, setOpen] = useState<Open>(undefined);
  const section = useRef<HTMLElement>(null);
  /** The control to focus when the open form closes. */
  const opener = useOpener(open !== undefined, section);
  const leave = useLeave();
  const openStatus = open && open.kind !== 'create' ? statuses?.find(({ slug }) => slug === open.slug) : undefined;
  const isDeleted =
    open !== undefined && open.kind !== 'create' && statuses !== undefined && (!openStatus || openStatus.going);
  const entered = useEntered<StatusInput>(isDeleted, unsaved => {
    opener.current = 'create';
    setOpen(open?.kind === 'edit' && unsaved ? { kind: 'create', unsaved } : undefined);
  });
  const show = useCallback(
    (next: NonNullable<Open>) =>
      leave(() => {
        opener.current = next.kind === 'create' ? 'create' : `${next.kind} ${next.slug}`;
        entered.current = undefined;
        setOpen(next);
      }),
    [leave, opener, entered],
  );
  const showOf = useCallback((kind: 'edit' | 'delete', slug: string) => show({ kind, slug }), [show]);
  const close = useCallback(() => setOpen(undefined), []);

  const entry = useCallback(
    (status: ManagedStatus) =>
      open && open.kind !== 'create' && open.slug === status.slug ? (
        <OpenStatus
          kind={open.kind}
          status={status}
          projectId={projectId}
          onTyped={values => {
            entered.current = { name: status.name, values };
          }}
          onDeleting={() => {
            // The button that opened the confirmation disappears with the status.
            opener.current = 'create';
          }}
          onClose={close}
        />
      ) : (
        <StatusEntry status={status} onShow={showOf} />
      ),
    [open, projectId, close, showOf, opener, entered],
  );

  if (!statuses)
    return isFetching ? (
      <Loading />
    ) : (
      <QueryError title={managing.getStatuses} error={error} onRetry={() => void refetch()} retrying={isFetching} />
    );
  const mine = statuses.filter(own);
  const inherited = statuses.filter(status => !own(status));
  return (
    <section ref={section} className="statuses" aria-labelledby="statuses-title" tabIndex={-1}>
      <div className="page-title">
        <h2 id="statuses-title">Statuses</h2>
        <Button iconBefore={AddIcon} data-opens="create" onClick={() => show({ kind: 'create' })}>
          New status
        </Button>
      </div>
      {open?.kind === 'create' ? (
        <StatusForm
          projectId={projectId}
          unsaved={open.unsaved}
          busy={create.isPending}
          onSave={values => create.mutateAsync(values).then(close)}
          onClose={close}
        />
      ) : null}
      {job ? (
        <p className="statuses-job" role="status">
          Checklists with this status are being updated
          {job.seen === 0 ? '' : `: ${progress(job)}`}.
        </p>
      ) : null}
      {inherited.length > 0 ? (
        <>
          <h3>Site statuses</h3>
          <ul className="sortable" aria-label="Site statuses">
            {inherited.map(status => (
              <li key={status.slug} className="sortable-item">
                <StatusWords status={status} />
              </li>
            ))}
          </ul>
          <h3>Project statuses</h3>
        </>
      ) : null}
      {mine.length === 0 ? <p className="statuses-none">This project has no statuses of its own yet.</p> : null}
      <Failure of={moveError} words={managing.orderStatuses} />
      <SortableList
        label={projectId === undefined ? 'Statuses' : 'Project statuses'}
        items={mine}
        keyOf={slugOf}
        nameOf={nameOf}
        onMove={open ? undefined : move}
      >
        {entry}
      </SortableList>
    </section>
  );
}

const progress = ({ seen, total }: { seen: number; total: number | null }): string =>
  total === null || total < seen
    ? `${seen.toLocaleString('en')} ${seen === 1 ? 'issue' : 'issues'} checked`
    : `${seen.toLocaleString('en')} of about ${total.toLocaleString('en')} issues checked`;
